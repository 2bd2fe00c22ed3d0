#include "tests/support/plans.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/nccl/p2p_channels.h"
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

bool runs_with_simple_only(const AlgorithmCase& algorithm_case) {
  const std::string& name = algorithm_case.algorithm;
  return name.starts_with("nvls") || name.starts_with("collnet") || name == "pat";
}

std::string case_name(const AlgorithmCase& algorithm_case) {
  std::string name = algorithm_case.algorithm + "_";
  name += collective_name(algorithm_case.collective);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// NCCL's published constants, which the expected times are reckoned with.
Profile hopper_profile() {
  const std::vector<Profile> profiles = builtin_profiles();
  return *std::find_if(profiles.begin(), profiles.end(),
                       [](const Profile& profile) { return profile.name == "nccl-hopper"; });
}

Profile ideal_profile() {
  Profile profile;
  profile.name = "ideal";
  profile.algorithms.push_back({"default", {}, {}, {}, {}});
  return profile;
}

TestPlan::TestPlan(const Topology& topology, const AlgorithmCase& algorithm_case, Protocol protocol,
                   int channels, const Profile& profile,
                   std::vector<std::vector<std::int32_t>> orders)
    : TestPlan(Cluster{Topology(topology)}, algorithm_case, protocol, channels, profile,
               std::move(orders)) {}

TestPlan::TestPlan(Cluster cluster, const AlgorithmCase& algorithm_case, Protocol protocol,
                   int channels, const Profile& profile,
                   std::vector<std::vector<std::int32_t>> orders)
    : parts_(std::make_unique<Parts>()) {
  Parts& parts = *parts_;
  parts.cluster = std::make_unique<Cluster>(std::move(cluster));
  if (parts.cluster->domain_count() > 1) {
    parts.transport = std::make_unique<Transport>(*parts.cluster);
  }
  parts.algorithm = builtin_algorithms().at(algorithm_case.algorithm).factory();
  parts.profile = profile;
  parts.protocol = protocol;
  const std::int64_t gpus = parts.cluster->gpu_count();
  for (std::int64_t gpu = 0; gpu < gpus; ++gpu) parts.ranks.push_back(parts.cluster->place(gpu));
  if (orders.empty()) {
    orders.emplace_back(static_cast<std::size_t>(gpus));
    std::iota(orders[0].begin(), orders[0].end(), 0);
  }
  PlanInput& input = parts.input;
  input.cluster = parts.cluster.get();
  input.ranks = parts.ranks;
  input.transport = parts.transport.get();
  input.spec = {algorithm_case.collective, static_cast<int>(gpus), 0};
  input.algorithm_name = algorithm_case.algorithm;
  input.algorithm = parts.algorithm.get();
  input.channels = channels;
  if (algorithm_case.algorithm == "p2p") {
    input.channels_per_peer =
        p2p_channels_per_peer(*input.cluster, input.ranks, input.transport, channels);
  }
  parts.orders = std::move(orders);
  input.orders = parts.orders;
  input.profile = &parts.profile;
  parts.outline = PlanOutline::build(input);
}

const CollectivePlan& TestPlan::plan() const {
  if (!parts_->plan) {
    parts_->plan = std::make_unique<CollectivePlan>(
        CollectivePlan::build(parts_->input, parts_->outline, parts_->protocol));
  }
  return *parts_->plan;
}

const StreamLoads& TestPlan::loads() const {
  if (!parts_->loads) {
    parts_->loads =
        std::make_unique<StreamLoads>(StreamLoads::build(parts_->input, parts_->outline));
  }
  return *parts_->loads;
}

RunResult stream_run(const TestPlan& test, Bytes size) {
  return run_stream(test.loads(), test.cut(size),
                    [&test]() -> const CollectivePlan& { return test.plan(); });
}

RunResult chunk_run(const TestPlan& test, Bytes size) {
  FluidNetwork network(test.plan().links);
  return run_chunk(test.plan(), test.cut(size), network);
}

Duration stream_time(const TestPlan& test, Bytes size) { return stream_run(test, size).time; }

Duration chunk_time(const TestPlan& test, Bytes size) { return chunk_run(test, size).time; }

Duration chunk_time_queueing(const TestPlan& test, Bytes size) {
  QueueingNetwork network(test.plan().links);
  return run_chunk(test.plan(), test.cut(size), network).time;
}

}  // namespace ringspan::testing
