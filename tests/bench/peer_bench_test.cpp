// The bench's workloads at 64 hosts: against SimGrid, against closed forms, against themselves.

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "sim/network/fluid_network.h"
#include "tests/bench/peer_fabric.h"
#include "tests/bench/peer_options.h"
#include "tests/bench/peer_process.h"

namespace ringspan::bench {
namespace {

const std::vector<std::string> kStar = {"--hosts=64"};
const std::vector<std::string> kTree4To1 = {"--topo=fattree", "--hosts=64", "--hosts-per-leaf=16",
                                            "--spines=4"};
const std::vector<std::string> kTree1To1 = {"--topo=fattree", "--hosts=64", "--hosts-per-leaf=16",
                                            "--spines=16"};

PeerOptions options_of(std::vector<std::string> arguments,
                       const std::vector<std::string>& more = {}) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return parse_peer_options(arguments);
}

PeerResult result_of(const PeerOptions& options) {
  const PeerFabric fabric(options);
  const auto network = make_peer_network(options, fabric);
  return run_peer_case(options, fabric, *network);
}

// Values printed by peer/simgrid_driver.cpp over SimGrid 3.32 (Debian 12) with
// --cfg=network/model:CM02 --cfg=network/crosstraffic:0, rounded by it to 0.001 us.
struct PeerCase {
  const std::vector<std::string>& fabric;
  std::vector<std::string> more;
  double simgrid_us;
};

TEST(PeerBench, SimulatedTimesAreSimGridsToTheLastPrintedDigit) {
  const std::string ring = "--coll=ring-allreduce";
  const std::string pairwise = "--coll=alltoall-pairwise";
  const std::string burst = "--coll=alltoall-burst";
  const std::string slow = "--slow-link=5:0.5";
  const std::vector<PeerCase> cases = {
      {kStar, {ring}, 2894.412},
      {kStar, {ring, slow}, 5536.823},
      {kTree4To1, {ring}, 3146.412},
      {kTree4To1, {ring, slow}, 5536.823},
      {kStar, {pairwise}, 1447.206},
      {kStar, {pairwise, slow}, 2768.412},
      {kTree4To1, {pairwise}, 4530.190},
      {kTree1To1, {pairwise, slow}, 2874.412},
      {kStar, {burst}, 1323.206},
      {kStar, {burst, slow}, 2644.412},
      {kTree4To1, {burst}, 4030.532},
      {kTree4To1, {burst, slow}, 4030.532},
      {kTree1To1, {burst, slow}, 2644.412},
      {kStar, {burst, "--slow-link=5:0.3", "--size=1000000"}, 67.625},
  };
  for (const PeerCase& test : cases) {
    const PeerResult result = result_of(options_of(test.fabric, test.more));
    // Half a unit of the last printed digit, and a picosecond for each rounded-up end on the way.
    EXPECT_NEAR(result.simulated_us, test.simgrid_us, 0.0006) << test.more[0];
  }
}

TEST(PeerBench, UncontendedTimesAreTheClosedForms) {
  // A step on the crossbar takes 2 us of latency and chunk / 50 GB/s; 2^20 B take 20.97152 us.
  EXPECT_NEAR(result_of(options_of(kStar, {"--coll=ring-allreduce"})).simulated_us, 126 * 22.97152,
              1e-6 * 126);
  EXPECT_NEAR(result_of(options_of(kStar, {"--coll=alltoall-pairwise"})).simulated_us,
              63 * 22.97152, 1e-6 * 63);
  // A burst: each host's link carries 63 chunks.
  EXPECT_NEAR(result_of(options_of(kStar, {"--coll=alltoall-burst"})).simulated_us,
              2 + 63 * 20.97152, 1e-6);
  // 4:1: a leaf's 4 uplinks carry 16 x 48 chunks, and those flows have 4 us of latency.
  EXPECT_NEAR(result_of(options_of(kTree4To1, {"--coll=alltoall-burst"})).simulated_us,
              4 + 16 * 48 / 4 * 20.97152, 1e-6);
}

TEST(PeerBench, CountsEveryTransfer) {
  EXPECT_EQ(result_of(options_of(kStar, {"--coll=ring-allreduce"})).flows, 64 * 126);
  EXPECT_EQ(result_of(options_of(kStar, {"--coll=alltoall-pairwise"})).flows, 64 * 63);
  EXPECT_EQ(result_of(options_of(kTree4To1, {"--coll=alltoall-burst"})).flows, 64 * 63);
}

TEST(PeerBench, SegmentsAgreeWithFluidWhereQueuesAreFair) {
  // Uncontended: cut-through hides all but the first segment of a hop. Destination-modulo routes
  // spread a 4:1 burst evenly, so that FIFO queues give every flow its fair share.
  const std::vector<std::string> segments = {"--network=queueing", "--segment=4096"};
  const auto ratio = [&](const std::vector<std::string>& fabric, const std::string& coll) {
    PeerOptions options = options_of(fabric, segments);
    options.coll = coll;
    const double queueing = result_of(options).simulated_us;
    options.network = "fluid";
    return queueing / result_of(options).simulated_us;
  };
  EXPECT_NEAR(ratio({"--hosts=8"}, "ring-allreduce"), 1, 0.001);
  EXPECT_NEAR(ratio(kStar, "ring-allreduce"), 1, 0.001);
  EXPECT_NEAR(ratio(kTree4To1, "alltoall-burst"), 1, 0.01);
}

// Passes everything on and hashes it (FNV-1a over 64-bit words): instants, events and rates.
class TracedNetwork final : public NetworkModel {
 public:
  TracedNetwork(std::span<const NetworkLink> links, bool refill_everything)
      : network_(links, {LatencyOrder::BeforeTransmission, refill_everything}) {}

  void start(Time now, std::span<const FlowStart> flows) override { network_.start(now, flows); }
  Time next_event() override { return network_.next_event(); }
  void advance(Time now, std::vector<FlowEvent>& events) override {
    for (const FluidFlowState& state : network_.transmitting()) {
      add(std::bit_cast<std::uint64_t>(state.rate));
    }
    network_.advance(now, events);
    add(static_cast<std::uint64_t>(now.time_since_epoch().count()));
    for (const FlowEvent& event : events) {
      add(event.tag);
      ends.push_back(now.time_since_epoch().count());
      tags.push_back(event.tag);
    }
  }
  std::int64_t flows_under_way() const override { return network_.flows_under_way(); }
  std::int64_t events_processed() const override { return network_.events_processed(); }

  std::uint64_t hash = 14695981039346656037ULL;
  std::vector<std::int64_t> ends;
  std::vector<FlowTag> tags;

 private:
  void add(std::uint64_t word) { hash = (hash ^ word) * 1099511628211ULL; }
  FluidNetwork network_;
};

const std::vector<std::string> kDistinct = {
    "--topo=fattree",         "--hosts=32", "--hosts-per-leaf=8", "--spines=2",
    "--coll=alltoallv-burst", "--sizes=32", "--routes=hash"};

TEST(PeerBench, TwoRunsGiveTheSameRatesAndTimesBitForBit) {
  for (const PeerOptions& options :
       {options_of(kTree4To1, {"--coll=alltoall-burst"}), options_of(kDistinct)}) {
    const PeerFabric fabric(options);
    TracedNetwork first(fabric.links(), false);
    TracedNetwork second(fabric.links(), false);
    run_peer_case(options, fabric, first);
    run_peer_case(options, fabric, second);
    EXPECT_EQ(first.hash, second.hash);
    EXPECT_FALSE(first.ends.empty());
  }
}

TEST(PeerBench, DistinctSizesEndWhenTheFullRefillSaysSo) {
  const PeerOptions options = options_of(kDistinct);
  const PeerFabric fabric(options);
  TracedNetwork cut(fabric.links(), false);
  TracedNetwork full(fabric.links(), true);
  run_peer_case(options, fabric, cut);
  run_peer_case(options, fabric, full);
  ASSERT_EQ(cut.tags, full.tags);
  for (std::size_t i = 0; i < cut.ends.size(); ++i) {
    // An end on a whole picosecond may be rounded up by the last bit of a rate.
    ASSERT_LE(std::abs(cut.ends[i] - full.ends[i]), 1) << "event " << i;
  }
}

TEST(PeerBench, TheSeedChangesSizesAndRoutes) {
  const double one = result_of(options_of(kDistinct)).simulated_us;
  EXPECT_NE(result_of(options_of(kDistinct, {"--seed=2"})).simulated_us, one);
}

TEST(PeerBench, WrongOptionsAreRefused) {
  for (const char* wrong : {"--hosts=1", "--hsts=8", "--coll=ring", "hosts=8", "--hosts=8x",
                            "--slow-link=8:0.5", "--slow-link=1", "--bw=nan", "--size=0",
                            "--routes=hash", "--sizes=4", "--network=ns3", "--segment=64"}) {
    EXPECT_THROW(parse_peer_options({wrong}), InputError) << wrong;
  }
  EXPECT_THROW(parse_peer_options({"--topo=fattree", "--hosts=20"}), InputError);
}

}  // namespace
}  // namespace ringspan::bench
