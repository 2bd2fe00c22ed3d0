#pragma once

// Plans and runs for tests, without the scenario layer.

#include <memory>
#include <string>
#include <vector>

#include "models/workloads/collective_plan.h"
#include "models/workloads/run_result.h"

namespace ringspan::testing {

// Every (algorithm, collective) pair that is registered.
struct AlgorithmCase {
  std::string algorithm;
  CollectiveKind collective = CollectiveKind::AllReduce;
};
std::vector<AlgorithmCase> all_algorithm_cases();
std::string case_name(const AlgorithmCase& algorithm_case);  // letters, digits and _ only

// A profile without latencies, limits or losses: time is bytes over rates.
Profile ideal_profile();

// Hopper's constants, so that latencies, limits and efficiencies take part.
Profile hopper_profile();

// The plan of a collective over all GPUs of `topology`, on `channels` channels: in index order, or
// in the orders that are given, by turns.
struct TestPlan {
  TestPlan(const Topology& topology, const AlgorithmCase& algorithm_case, Protocol protocol,
           int channels, const Profile& profile,
           std::vector<std::vector<std::int32_t>> orders = {});
  std::unique_ptr<Algorithm> algorithm;
  CollectivePlan plan;
};

Duration stream_time(const CollectivePlan& plan, Bytes size);
Duration chunk_time(const CollectivePlan& plan, Bytes size);           // fluid
Duration chunk_time_queueing(const CollectivePlan& plan, Bytes size);  // 64 KiB segments

}  // namespace ringspan::testing
