#include "tests/support/plans.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/workloads/chunk_run.h"
#include "models/workloads/stream_run.h"
#include "sim/network/fluid_network.h"
#include "sim/network/queueing_network.h"

namespace ringspan::testing {

std::vector<AlgorithmCase> all_algorithm_cases() {
  std::vector<AlgorithmCase> cases;
  const auto algorithms = builtin_algorithms();
  for (const auto& entry : algorithms.entries()) {
    for (const CollectiveKind kind : entry.factory()->collectives()) {
      cases.push_back({entry.name, kind});
    }
  }
  return cases;
}

std::string case_name(const AlgorithmCase& algorithm_case) {
  std::string name = algorithm_case.algorithm + "_";
  name += collective_name(algorithm_case.collective);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Profile hopper_profile() { return profile_for(builtin_profiles(), 90); }

Profile ideal_profile() {
  Profile profile;
  profile.name = "ideal";
  profile.algorithms.push_back({"default", {}, {}, {}, {}});
  return profile;
}

namespace {

CollectivePlan build(const Topology& topology, const AlgorithmCase& algorithm_case,
                     Protocol protocol, int channels, const Profile& profile,
                     const Algorithm& algorithm, std::vector<std::vector<std::int32_t>> orders) {
  PlanInput input;
  const Cluster cluster{Topology(topology)};
  std::vector<GpuPlace> ranks;
  for (std::int64_t gpu = 0; gpu < cluster.gpu_count(); ++gpu) ranks.push_back(cluster.place(gpu));
  input.cluster = &cluster;
  input.ranks = ranks;
  input.spec = {algorithm_case.collective, static_cast<int>(topology.gpus().size()), 0};
  input.algorithm_name = algorithm_case.algorithm;
  input.algorithm = &algorithm;
  input.protocol = protocol;
  input.channels = channels;
  input.orders = std::move(orders);
  if (input.orders.empty()) {
    input.orders.emplace_back(topology.gpus().size());
    std::iota(input.orders[0].begin(), input.orders[0].end(), 0);
  }
  input.profile = &profile;
  return CollectivePlan::build(input);
}

}  // namespace

TestPlan::TestPlan(const Topology& topology, const AlgorithmCase& algorithm_case, Protocol protocol,
                   int channels, const Profile& profile,
                   std::vector<std::vector<std::int32_t>> orders)
    : algorithm(builtin_algorithms().at(algorithm_case.algorithm).factory()),
      plan(build(topology, algorithm_case, protocol, channels, profile, *algorithm,
                 std::move(orders))) {}

Duration stream_time(const CollectivePlan& plan, Bytes size) {
  return run_stream(plan, cut_size(plan, size)).time;
}

Duration chunk_time(const CollectivePlan& plan, Bytes size) {
  FluidNetwork network(plan.links);
  return run_chunk(plan, cut_size(plan, size), network).time;
}

Duration chunk_time_queueing(const CollectivePlan& plan, Bytes size) {
  QueueingNetwork network(plan.links);
  return run_chunk(plan, cut_size(plan, size), network).time;
}

}  // namespace ringspan::testing
