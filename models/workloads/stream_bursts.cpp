#include "models/workloads/stream_bursts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "models/workloads/protocol_cost.h"
#include "sim/base/check.h"
#include "sim/network/fluid_network.h"
#include "sim/network/simulation.h"

namespace ringspan {

namespace {

// What transfers cost with one protocol.
struct BurstCosts {
  explicit BurstCosts(const StreamLoads& loads, const SizeCut& cut)
      : cost(*loads.input.profile, loads.outline->algorithm, cut.protocol), protocol(cut.protocol) {
    const auto limit = kernel_limit(loads);
    if (limit) kernel_picoseconds = 1 / to_bytes_per_picosecond(*limit);
  }
  std::optional<Bandwidth> kernel_limit(const StreamLoads& loads) const {
    return cost.kernel_limit(loads.outline->classes.front().count,
                             loads.outline->copying_channels());
  }

  Duration latency(LinkClass slowest_class, Duration wire, Bytes message) const {
    return cost.slice_latency(cost.step_latency(slowest_class, wire), message.count);
  }

  ProtocolCost cost;
  double kernel_picoseconds = 0;  // per wire byte that a rank's kernels send; 0: no limit
  Protocol protocol;
};

// Rounded up, but for what is the rounding of doubles.
Duration rounded_up(double picoseconds) {
  constexpr double kSlack = 1.0 / 1024;
  return Duration{static_cast<std::int64_t>(std::ceil(picoseconds - kSlack))};
}

// Also of a coupled round, whose transfers all end with the slowest.
BurstBounds bounds_of(const StreamLoads& loads, const RoundLoads& round, const BurstCosts& costs,
                      std::int64_t block_payload) {
  const Bytes message{block_payload * round.blocks};
  const double per_block = static_cast<double>(wire_bytes(costs.protocol, message).count) /
                           static_cast<double>(round.blocks);
  const auto transmission = [&](const TransferKind& kind) {
    return per_block * std::max(kind.slowness, kind.sent * costs.kernel_picoseconds);
  };
  double slowest = 0, low = 0, high = 0;
  for (const TransferKind& kind : round.kinds) slowest = std::max(slowest, transmission(kind));
  for (const TransferKind& kind : round.kinds) {
    const LatencyKind& latency = loads.latencies[kind.latency];
    const auto step =
        static_cast<double>(costs.latency(latency.slowest_class, latency.wire, message).count());
    constexpr double kSame = 1 - 1e-9;
    const bool among_slowest = round.coupled || transmission(kind) >= slowest * kSame;
    if (among_slowest) low = std::max(low, slowest + step);
    high = std::max(high, (among_slowest ? slowest : transmission(kind)) + step);
  }
  return {rounded_up(low), rounded_up(high)};
}

// A round flow by flow.
class Burst final : public Process {
 public:
  Burst(const StreamLoads& loads, const RoundLoads& summary, const BurstCosts& costs,
        std::int64_t block_payload)
      : loads_(loads),
        costs_(costs),
        payload_(block_payload),
        channels_(loads.outline->classes.front()),
        rounds_(channels_.schedule->rounds()),
        round_(rounds_[summary.index]),
        total_(summary.transfers) {
    for_each_flow([](const FlowStart&) {});  // names the links
  }

  const std::vector<NetworkLink>& links() const { return links_; }

  void on_start(Simulation& simulation) override {
    for_each_flow([&](const FlowStart& flow) { simulation.start(flow); });
  }
  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event> /*timers*/,
                Simulation& /*simulation*/) override {
    done_ += static_cast<std::int64_t>(flows.size());
    end_ = now;
  }
  bool finished() const override { return done_ == total_; }
  std::string waiting() const override { return "transfers of a burst without a rate"; }
  Time end() const { return end_; }
  double part() const { return static_cast<double>(done_) / static_cast<double>(total_); }

 private:
  // The limit of a rank's kernels comes after all resources.
  std::uint32_t number_of(std::uint32_t resource) {
    const auto [found, added] =
        numbers_.emplace(resource, static_cast<std::uint32_t>(links_.size()));
    if (added) links_.push_back({rate_of(resource), Duration{}});
    return found->second;
  }

  Bandwidth rate_of(std::uint32_t resource) const {
    if (resource >= loads_.paths->resource_count()) {
      return *costs_.kernel_limit(loads_);
    }
    return loads_.links[loads_.links_of[resource]].rate;
  }

  template <typename Visit>
  void for_each_flow(Visit visit) {
    RINGSPAN_CHECK(round_.switched.empty() && round_.nodes.empty(),
                   "a burst joins two ranks at a time");
    const PlanInput& input = loads_.input;
    FlowTag tag = 0;
    round_.for_each_pair(
        input.spec.ranks, [&](std::int32_t from, std::int32_t to, std::int64_t blocks) {
          loads_.paths->find(input.ranks[static_cast<std::size_t>(from)],
                             input.ranks[static_cast<std::size_t>(to)], channels_.channels,
                             scratch_, path_);
          read_path(from);
          FlowStart flow;
          flow.tag = tag++;
          flow.size = wire_bytes(costs_.protocol, Bytes{payload_ * blocks});
          flow.links = flow_links_;
          flow.weights = weights_;
          flow.stages = stages_;
          flow.extra_latency =
              costs_.latency(path_.slowest_class, path_.latency, Bytes{payload_ * blocks});
          visit(flow);
        });
  }

  void read_path(std::int32_t from) {
    flow_links_.clear();
    weights_.clear();
    stages_.clear();
    const double count = channels_.count;
    const double staging = loads_.input.profile->staging_efficiency;
    if (costs_.kernel_picoseconds > 0) {
      add_use(loads_.paths->resource_count() + static_cast<std::uint32_t>(from), count, 0);
    }
    for (const ResourceUse& use : path_.uses) {
      add_use(use.resource, use.load(staging) * count, use.stage + 1);
    }
  }

  void add_use(std::uint32_t resource, double weight, std::uint32_t stage) {
    flow_links_.push_back(number_of(resource));
    weights_.push_back(static_cast<float>(weight));
    stages_.push_back(stage);
  }

  const StreamLoads& loads_;
  const BurstCosts& costs_;
  std::int64_t payload_;
  const ChannelClass& channels_;
  std::vector<Round> rounds_;
  const Round& round_;
  std::int64_t total_, done_ = 0;
  Time end_ = kTimeZero;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;  // by resource; never walked
  std::vector<NetworkLink> links_;
  std::vector<std::uint32_t> flow_links_, stages_;  // of the flow at hand
  std::vector<float> weights_;
  PathScratch scratch_;
  FabricPath path_;
};

}  // namespace

BurstBounds burst_bounds(const StreamLoads& loads, const RoundLoads& round, const SizeCut& cut) {
  return bounds_of(loads, round, BurstCosts(loads, cut), cut.block_payload);
}

RunResult run_bursts(const StreamLoads& loads, const SizeCut& cut, const KeepGoing& keep_going,
                     RunObserver* observer) {
  RINGSPAN_CHECK(loads.classes.size() == 1, "messages have one channel class");
  const BurstCosts costs(loads, cut);
  RunResult result;
  const auto& rounds = loads.classes.front().rounds;
  for (std::size_t r = 0; r < rounds.size() && !result.interrupted; ++r) {
    const RoundLoads& round = rounds[r];
    const auto go_on = [&](double part) {
      return !keep_going ||
             keep_going((static_cast<double>(r) + part) / static_cast<double>(rounds.size()));
    };
    const Time begin = kTimeZero + result.time;
    const auto report = [&] {
      if (observer == nullptr) return;
      const auto wire = wire_bytes(cut.protocol, Bytes{cut.block_payload * round.blocks});
      observer->phase_done({0, begin, kTimeZero + result.time, static_cast<double>(round.repeat),
                            static_cast<double>(wire.count)});
    };
    result.operations += round.transfers;
    const BurstBounds bounds = bounds_of(loads, round, costs, cut.block_payload);
    const bool known = bounds.low == bounds.high || round.transfers > kMostBurstFlows;
    if (round.coupled || (round.equal_blocks && known)) {
      result.time += bounds.high * round.repeat;
      report();
      result.events += 1;
      result.interrupted = !go_on(0);
      continue;
    }
    Burst burst(loads, round, costs, cut.block_payload);
    FluidNetwork network(burst.links());
    StopCondition stop;
    stop.keep_going = [&](const Simulation&) { return go_on(burst.part()); };
    const SimulationEnd end = run(network, burst, stop);
    result.interrupted = end.reason == EndReason::Interrupted;
    result.stalled = result.stalled || end.reason == EndReason::Stalled;
    if (!end.waiting.empty()) result.waiting = end.waiting;
    result.time += (burst.end() - kTimeZero) * round.repeat;
    report();
    result.events += end.events;
  }
  return result;
}

}  // namespace ringspan
