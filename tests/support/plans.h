#pragma once

// Plans and runs for tests, without the scenario layer.

#include <memory>
#include <string>
#include <vector>

#include "models/workloads/collective_plan.h"
#include "models/workloads/run_result.h"
#include "models/workloads/stream_loads.h"

namespace ringspan::testing {

// Every (algorithm, collective) pair that is registered.
struct AlgorithmCase {
  std::string algorithm;
  CollectiveKind collective = CollectiveKind::AllReduce;
};
std::vector<AlgorithmCase> all_algorithm_cases();
// NVLS, CollNet and PAT.
bool runs_with_simple_only(const AlgorithmCase& algorithm_case);
std::string case_name(const AlgorithmCase& algorithm_case);  // letters, digits and _ only

// A profile without latencies, limits or losses: time is bytes over rates.
Profile ideal_profile();

// Hopper's constants, so that latencies, limits and efficiencies take part.
Profile hopper_profile();

// A collective on `channels` channels: in index order, or in the orders that are given, by turns.
// Plan and loads are made when first asked for.
class TestPlan {
 public:
  // Over all GPUs of one server.
  TestPlan(const Topology& topology, const AlgorithmCase& algorithm_case, Protocol protocol,
           int channels, const Profile& profile,
           std::vector<std::vector<std::int32_t>> orders = {});
  // Over all GPUs of a cluster, domain by domain.
  TestPlan(Cluster cluster, const AlgorithmCase& algorithm_case, Protocol protocol, int channels,
           const Profile& profile, std::vector<std::vector<std::int32_t>> orders = {});

  const PlanInput& input() const { return parts_->input; }
  const PlanOutline& outline() const { return parts_->outline; }
  Protocol protocol() const { return parts_->protocol; }
  const CollectivePlan& plan() const;
  const StreamLoads& loads() const;
  SizeCut cut(Bytes size) const { return cut_size(outline(), protocol(), size); }

 private:
  struct Parts {  // in one place, since they point to one another
    std::unique_ptr<Cluster> cluster;
    std::unique_ptr<Transport> transport;
    std::unique_ptr<Algorithm> algorithm;
    Profile profile;
    std::vector<GpuPlace> ranks;
    std::vector<std::vector<std::int32_t>> orders;
    PlanInput input;
    PlanOutline outline;
    Protocol protocol = Protocol::Simple;
    std::unique_ptr<CollectivePlan> plan;
    std::unique_ptr<StreamLoads> loads;
  };
  std::unique_ptr<Parts> parts_;
};

RunResult stream_run(const TestPlan& test, Bytes size);
RunResult chunk_run(const TestPlan& test, Bytes size);  // fluid
Duration stream_time(const TestPlan& test, Bytes size);
Duration chunk_time(const TestPlan& test, Bytes size);           // fluid
Duration chunk_time_queueing(const TestPlan& test, Bytes size);  // 64 KiB segments

}  // namespace ringspan::testing
