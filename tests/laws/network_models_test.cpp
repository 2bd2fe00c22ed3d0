// Where the network models must agree with closed forms and each other, and where they differ.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/coupled_network.h"
#include "sim/network/fluid_network.h"
#include "sim/network/queueing_network.h"
#include "sim/network/simulation.h"

namespace ringspan {
namespace {

using Links = std::vector<std::uint32_t>;

constexpr std::int64_t kMiB = 1 << 20;
// 50 GB/s are 20 ps per byte.
constexpr std::int64_t kPicosecondsPerByte = 20;
constexpr std::int64_t kLatency = 1'000'000;

NetworkLink link_with(Duration latency) { return {Bandwidth{400'000'000'000}, latency}; }

// Hosts under leaves, leaves under spines; the route to another leaf takes the spine numbered by
// the destination modulo the spines. Host h: links 2h up, 2h + 1 down.
struct LeafSpine {
  std::uint32_t hosts = 0;
  std::uint32_t per_leaf = 0;
  std::uint32_t spines = 0;

  std::vector<NetworkLink> links(Duration latency = microseconds(1)) const {
    const std::uint32_t leaves = hosts / per_leaf;
    return std::vector<NetworkLink>(2 * hosts + 2 * leaves * spines, link_with(latency));
  }
  Links route(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t leaf = from / per_leaf;
    const std::uint32_t other = to / per_leaf;
    if (leaf == other) {
      return {2 * from, 2 * to + 1};
    }
    const std::uint32_t spine = to % spines;
    return {2 * from, 2 * hosts + 2 * (leaf * spines + spine),
            2 * hosts + 2 * (other * spines + spine) + 1, 2 * to + 1};
  }
};

LeafSpine crossbar(std::uint32_t hosts) { return {hosts, hosts, 1}; }

struct Ring {
  std::vector<std::uint32_t> hosts;
  std::int64_t chunk = 0;
  std::uint32_t steps = 0;
};

// Rings step by step: a rank sends its next chunk when the last one has been delivered and its own
// has come. Ends are kept per ring.
class RingsProcess final : public Process {
 public:
  RingsProcess(const LeafSpine& fabric, std::vector<Ring> rings) : rings_(std::move(rings)) {
    for (const Ring& ring : rings_) {
      const std::size_t ranks = ring.hosts.size();
      first_.push_back(static_cast<std::uint32_t>(paths_.size()));
      for (std::size_t r = 0; r < ranks; ++r) {
        paths_.push_back(fabric.route(ring.hosts[r], ring.hosts[(r + 1) % ranks]));
        ring_of_.push_back(first_.size() - 1);
      }
    }
    sent_.assign(paths_.size(), 0);
    received_.assign(paths_.size(), 0);
    ends.assign(rings_.size(), 0);
  }

  void on_start(Simulation& simulation) override {
    for (std::uint32_t edge = 0; edge < paths_.size(); ++edge) {
      send(edge, simulation);
    }
  }
  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event>,
                Simulation& simulation) override {
    for (const FlowEvent& event : flows) {
      const std::size_t ring = ring_of_[event.tag];
      const auto ranks = static_cast<std::uint32_t>(rings_[ring].hosts.size());
      const std::uint32_t next = first_[ring] + (event.tag - first_[ring] + 1) % ranks;
      ends[ring] = now.time_since_epoch().count();
      ++sent_[event.tag];
      ++received_[next];
      if (received_[event.tag] >= sent_[event.tag]) {
        send(event.tag, simulation);
      }
      if (next != event.tag && received_[next] == sent_[next]) {
        send(next, simulation);
      }
    }
  }
  bool finished() const override { return simulation_ended(); }
  std::string waiting() const override { return "a rank of a ring"; }

  std::vector<std::int64_t> ends;

 private:
  bool simulation_ended() const {
    for (std::size_t edge = 0; edge < sent_.size(); ++edge) {
      if (sent_[edge] != rings_[ring_of_[edge]].steps) {
        return false;
      }
    }
    return true;
  }
  void send(std::uint32_t edge, Simulation& simulation) {
    const Ring& ring = rings_[ring_of_[edge]];
    if (sent_[edge] < ring.steps) {
      FlowStart flow;
      flow.tag = edge;
      flow.size = {ring.chunk};
      flow.links = paths_[edge];
      simulation.start(flow);
    }
  }

  std::vector<Ring> rings_;
  std::vector<Links> paths_;  // by edge; edges of all rings in one row
  std::vector<std::uint32_t> first_;
  std::vector<std::size_t> ring_of_;
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> received_;
};

// All flows at time zero; the ends by flow.
class BurstProcess final : public Process {
 public:
  BurstProcess(std::vector<Links> paths, std::int64_t bytes)
      : ends(paths.size(), 0), paths_(std::move(paths)), bytes_(bytes) {}

  void on_start(Simulation& simulation) override {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      FlowStart flow;
      flow.tag = static_cast<FlowTag>(i);
      flow.size = {bytes_};
      flow.links = paths_[i];
      simulation.start(flow);
    }
  }
  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event>,
                Simulation&) override {
    for (const FlowEvent& event : flows) {
      ends[event.tag] = now.time_since_epoch().count();
      ++done_;
    }
  }
  bool finished() const override { return done_ == paths_.size(); }
  std::string waiting() const override { return "a flow of the burst"; }
  std::int64_t last_end() const { return *std::max_element(ends.begin(), ends.end()); }

  std::vector<std::int64_t> ends;

 private:
  std::vector<Links> paths_;
  std::int64_t bytes_;
  std::size_t done_ = 0;
};

std::vector<Links> all_to_all(const LeafSpine& fabric) {
  std::vector<Links> paths;
  for (std::uint32_t distance = 1; distance < fabric.hosts; ++distance) {
    for (std::uint32_t host = 0; host < fabric.hosts; ++host) {
      paths.push_back(fabric.route(host, (host + distance) % fabric.hosts));
    }
  }
  return paths;
}

template <typename Network, typename AProcess>
void run_on(const std::vector<NetworkLink>& links, AProcess& process) {
  Network network(links);
  const SimulationEnd end = run(network, process);
  ASSERT_EQ(end.reason, EndReason::Finished) << end.waiting;
}

std::vector<std::uint32_t> hosts_from(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> hosts(count);
  std::iota(hosts.begin(), hosts.end(), first);
  return hosts;
}

class RingOn : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RingOn, ACrossbarTakesTheClosedFormInEveryModel) {
  const std::uint32_t ranks = GetParam();
  const LeafSpine fabric = crossbar(ranks);
  const std::int64_t chunk = 64 * kMiB / ranks;
  // 2 (N - 1) steps, each a chunk and the latency of two links.
  const std::int64_t steps = 2 * (std::int64_t{ranks} - 1);
  const std::int64_t expected = steps * (chunk * kPicosecondsPerByte + 2 * kLatency);

  const Ring ring{hosts_from(0, ranks), chunk, static_cast<std::uint32_t>(steps)};
  RingsProcess fluid(fabric, {ring});
  run_on<FluidNetwork>(fabric.links(), fluid);
  EXPECT_EQ(fluid.ends[0], expected);
  RingsProcess queueing(fabric, {ring});
  run_on<QueueingNetwork>(fabric.links(), queueing);
  EXPECT_EQ(queueing.ends[0], expected);

  CoupledFlow flow;
  for (std::uint32_t link = 0; link < 2 * ranks; ++link) {
    flow.rows.push_back({link, 1, static_cast<double>(chunk)});
  }
  flow.steps = static_cast<double>(steps);
  flow.slice_bytes = static_cast<double>(chunk);
  flow.step_latency = picoseconds(2 * kLatency);
  CoupledNetwork coupled(fabric.links());
  coupled.start(kTimeZero, flow);
  EXPECT_EQ(coupled.next_event().time_since_epoch().count(), expected);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RingOn, testing::Values(2, 8, 64));

TEST(NetworkModels, BurstOnACrossbarIsBoundByThePortsInBothModels) {
  const LeafSpine fabric = crossbar(64);
  // Every port sends and receives 63 MiB without a gap.
  const std::int64_t expected = 63 * kMiB * kPicosecondsPerByte + 2 * kLatency;
  BurstProcess fluid(all_to_all(fabric), kMiB);
  run_on<FluidNetwork>(fabric.links(), fluid);
  EXPECT_EQ(fluid.last_end(), expected);
  BurstProcess queueing(all_to_all(fabric), kMiB);
  run_on<QueueingNetwork>(fabric.links(), queueing);
  EXPECT_EQ(queueing.last_end(), expected);
}

TEST(NetworkModels, BurstOnAnOversubscribedTreeIsBoundByTheUplinks) {
  const LeafSpine fabric{64, 16, 4};
  // A leaf's 16 x 48 chunks of 1 MiB leave over 4 uplinks: 192 MiB each, and four latencies.
  const std::int64_t expected = 192 * kMiB * kPicosecondsPerByte + 4 * kLatency;
  BurstProcess fluid(all_to_all(fabric), kMiB);
  run_on<FluidNetwork>(fabric.links(), fluid);
  EXPECT_EQ(fluid.last_end(), expected);
  BurstProcess queueing(all_to_all(fabric), kMiB);
  run_on<QueueingNetwork>(fabric.links(), queueing);
  // The uplinks start a few segments late, because every source serves its own leaf first.
  EXPECT_GE(queueing.last_end(), expected);
  EXPECT_LE(static_cast<double>(queueing.last_end()), 1.002 * static_cast<double>(expected));
}

// FIFO shares an uplink by what arrives, so by source port; max-min shares it by flow. The sum is
// the same.
TEST(NetworkModels, QueueingFavoursTheFlowThatIsAloneOnItsPort) {
  const LeafSpine fabric{4, 2, 1};
  // Host 0 sends two flows, host 1 one, all over the one uplink of their leaf.
  const std::vector<Links> paths = {fabric.route(0, 2), fabric.route(0, 3), fabric.route(1, 2)};
  const std::int64_t one = 64 * kMiB * kPicosecondsPerByte;
  BurstProcess fluid(paths, 64 * kMiB);
  run_on<FluidNetwork>(fabric.links(), fluid);
  BurstProcess queueing(paths, 64 * kMiB);
  run_on<QueueingNetwork>(fabric.links(), queueing);
  for (const std::int64_t end : fluid.ends) {
    EXPECT_EQ(end, 3 * one + 4 * kLatency);
  }
  // Within the latencies and two segments of 1.3 us.
  const double slack = 4.0 * kLatency + 2.0 * 65'536 * kPicosecondsPerByte;
  EXPECT_NEAR(static_cast<double>(queueing.ends[2]), 2.0 * one, slack);
  EXPECT_NEAR(static_cast<double>(queueing.ends[0]), 3.0 * one, slack);
  EXPECT_NEAR(static_cast<double>(queueing.ends[1]), 3.0 * one, slack);
}

CoupledFlow coupled_ring(FlowTag tag, const LeafSpine& fabric, const Ring& ring) {
  std::vector<double> flows_on(fabric.links().size(), 0);
  const std::size_t ranks = ring.hosts.size();
  for (std::size_t r = 0; r < ranks; ++r) {
    for (const std::uint32_t link : fabric.route(ring.hosts[r], ring.hosts[(r + 1) % ranks])) {
      ++flows_on[link];
    }
  }
  CoupledFlow flow;
  flow.tag = tag;
  for (std::uint32_t link = 0; link < flows_on.size(); ++link) {
    if (flows_on[link] > 0) {
      flow.rows.push_back({link, flows_on[link], flows_on[link] * static_cast<double>(ring.chunk)});
    }
  }
  flow.steps = ring.steps;
  flow.slice_bytes = static_cast<double>(ring.chunk);
  return flow;
}

std::vector<std::int64_t> coupled_ends(const LeafSpine& fabric, const std::vector<Ring>& rings) {
  CoupledNetwork network(fabric.links(Duration::zero()));
  for (std::size_t i = 0; i < rings.size(); ++i) {
    network.start(kTimeZero, coupled_ring(static_cast<FlowTag>(i), fabric, rings[i]));
  }
  std::vector<std::int64_t> ends(rings.size(), 0);
  std::vector<FlowTag> ended;
  for (Time next = network.next_event(); next != kNever; next = network.next_event()) {
    ended.clear();
    network.advance(next, ended);
    for (const FlowTag tag : ended) {
      ends[tag] = next.time_since_epoch().count();
    }
  }
  return ends;
}

// Every physical flow of a ring is held by the same rate: one coupled flow says what the step by
// step run says, for rings of different sizes on the same ports and over the same uplinks.
TEST(NetworkModels, CoupledRingsThatShareAlikeTakeTheTimesOfTheStepByStepRun) {
  const LeafSpine fabric{16, 4, 1};
  // Strided, so that every edge crosses the one uplink of its leaf.
  std::vector<std::uint32_t> strided;
  for (std::uint32_t i = 0; i < 16; ++i) {
    strided.push_back(i % 4 * 4 + i / 4);
  }
  const std::vector<std::vector<Ring>> cases = {
      {{hosts_from(0, 4), 8 * kMiB, 6}, {hosts_from(0, 4), 2 * kMiB, 6}},
      {{strided, 4 * kMiB, 30}, {strided, 2 * kMiB, 30}},
      {{strided, 4 * kMiB, 30}},
  };
  for (const std::vector<Ring>& rings : cases) {
    RingsProcess steps(fabric, rings);
    run_on<FluidNetwork>(fabric.links(Duration::zero()), steps);
    const std::vector<std::int64_t> coupled = coupled_ends(fabric, rings);
    for (std::size_t i = 0; i < rings.size(); ++i) {
      EXPECT_NEAR(static_cast<double>(coupled[i]), static_cast<double>(steps.ends[i]),
                  1e-6 * static_cast<double>(steps.ends[i]));
    }
  }
}

// One loop of whole chunks lets edges run ahead and leave their links to competitors; the coupled
// flow is the limit of many loops. Random rings over a 4:1 tree show how far that goes.
TEST(NetworkModels, CoupledRingsInARandomMixtureAreNearTheStepByStepRun) {
  const LeafSpine fabric{64, 16, 4};
  double sum = 0;
  double worst = 0;
  int cases = 0;
  std::uint64_t state = 11;
  const auto below = [&state](std::uint32_t bound) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state >> 33U) % bound;
  };
  for (int trial = 0; trial < 4; ++trial) {
    std::vector<std::uint32_t> hosts = hosts_from(0, 64);
    for (std::uint32_t i = 63; i > 0; --i) {
      std::swap(hosts[i], hosts[below(i + 1)]);
    }
    std::vector<Ring> rings;
    for (std::ptrdiff_t r = 0; r < 8; ++r) {
      rings.push_back({{hosts.begin() + 8 * r, hosts.begin() + 8 * r + 8}, 256 * 1024, 14 * 16});
    }
    RingsProcess steps(fabric, rings);
    run_on<FluidNetwork>(fabric.links(Duration::zero()), steps);
    const std::vector<std::int64_t> coupled = coupled_ends(fabric, rings);
    for (std::size_t i = 0; i < rings.size(); ++i) {
      const double error = static_cast<double>(coupled[i]) / static_cast<double>(steps.ends[i]) - 1;
      sum += std::abs(error);
      worst = std::max(worst, std::abs(error));
      ++cases;
    }
  }
  RecordProperty("mean_error", std::to_string(sum / cases));
  RecordProperty("worst_error", std::to_string(worst));
  EXPECT_LT(sum / cases, 0.02);
  EXPECT_LT(worst, 0.10);
}

}  // namespace
}  // namespace ringspan
