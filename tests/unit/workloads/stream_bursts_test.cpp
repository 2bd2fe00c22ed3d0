#include "models/workloads/stream_bursts.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/base/random.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using testing::TestPlan;

Link random_link(Random& random, LinkClass link_class) {
  Link link;
  link.link_class = link_class;
  link.preset = "custom";
  link.count = link_class == LinkClass::Pcie ? 16 : 1;
  link.raw = link.nominal =
      bandwidth_from_gbytes_per_second(static_cast<double>(4 + random.next() % 60));
  link.latency = nanoseconds(static_cast<std::int64_t>(100 + random.next() % 900));
  return link;
}

// 2 to 9 GPUs under up to three PCIe switches on one CPU, some of them joined by NVLink; every link
// of another rate and latency. `even`: no NVLinks and one switch, so that all latencies of a step
// are the profile's.
Topology random_machine(Random& random) {
  TopologyBuilder builder("random");
  builder.set_peer_reach(PeerReach::All);
  const std::int32_t model = builder.add_gpu_model(
      {"GPU", 90, Bytes{std::int64_t{80} << 30}, bandwidth_from_gbytes_per_second(1400)});
  const NodeId cpu = builder.add_device({"cpu0", DeviceKind::Cpu, 0, -1, "amd", false});
  std::vector<NodeId> switches, gpus;
  for (std::uint64_t s = 0; s < 1 + random.next() % 3; ++s) {
    switches.push_back(
        builder.add_device({"psw" + std::to_string(s), DeviceKind::PcieSwitch, 0, -1, "", false}));
    builder.add_duplex(switches.back(), cpu, random_link(random, LinkClass::Pcie));
  }
  const std::uint64_t count = 2 + random.next() % 8;
  for (std::uint64_t g = 0; g < count; ++g) {
    gpus.push_back(
        builder.add_device({"gpu" + std::to_string(g), DeviceKind::Gpu, 0, model, "", false}));
    builder.add_duplex(gpus.back(), switches[random.next() % switches.size()],
                       random_link(random, LinkClass::Pcie));
    for (std::uint64_t h = 0; h < g; ++h) {
      if (random.next() % 4 == 0) {
        builder.add_duplex(gpus[h], gpus.back(), random_link(random, LinkClass::NvLink));
      }
    }
  }
  return std::move(builder).build();
}

// An alltoall by `direct` has no dependencies: at `chunk` it is all transfers as flows of their own
// under max-min sharing. Without latencies the burst's bounds meet, and the formula must give what
// the flows take, on any machine.
TEST(Bursts, TheSlowestLinkTakesAsLongAsAllFlows) {
  Random random(7);
  for (int draw = 0; draw < 400; ++draw) {
    const Topology machine = random_machine(random);
    const TestPlan test(machine, {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 2,
                        testing::ideal_profile());
    const Bytes size{static_cast<std::int64_t>((1 + random.next() % 64) << 20)};
    Profile profile = testing::ideal_profile();
    profile.reference_wire.fill(microseconds(1'000'000));  // no wire latency counts
    const TestPlan timeless(machine, {"direct", CollectiveKind::AllToAll}, Protocol::Simple, 2,
                            profile);
    const BurstBounds bounds =
        burst_bounds(timeless.loads(), timeless.loads().classes[0].rounds[0], timeless.cut(size));
    EXPECT_EQ(bounds.low, bounds.high);
    EXPECT_NEAR(static_cast<double>(bounds.high.count()),
                static_cast<double>(testing::chunk_time(timeless, size).count()),
                1e-7 * static_cast<double>(bounds.high.count()) + 2)
        << draw;
    // With latencies it lies between the bounds, which differ by a latency at most.
    const BurstBounds around =
        burst_bounds(test.loads(), test.loads().classes[0].rounds[0], test.cut(size));
    const Duration flows = testing::chunk_time(test, size);
    const Duration rounding{2 + flows.count() / 10'000'000};
    EXPECT_LE(around.low, flows + rounding) << draw;
    EXPECT_GE(around.high, flows - rounding) << draw;
    EXPECT_LE(around.high - around.low, microseconds(10)) << draw;
    EXPECT_LE(std::abs((testing::stream_time(test, size) - flows).count()), rounding.count());
  }
}

// Gather: the root's port takes n - 1 blocks; scatter the same out of it. Unequal blocks do not go
// by the formula; halving-doubling over 5 ranks folds one rank's whole vector first.
TEST(Bursts, RoundsOfMessagesTakeWhatTheirFlowsTake) {
  Random random(11);
  for (int draw = 0; draw < 100; ++draw) {
    const Topology machine = random_machine(random);
    for (const CollectiveKind kind : {CollectiveKind::Gather, CollectiveKind::Scatter}) {
      const TestPlan test(machine, {"direct", kind}, Protocol::LL, 3, testing::hopper_profile());
      const Bytes size{static_cast<std::int64_t>((1 + random.next() % 64) << 18)};
      const Duration flows = testing::chunk_time(test, size);
      EXPECT_LE(std::abs((testing::stream_time(test, size) - flows).count()),
                2 + flows.count() / 10'000'000)
          << draw;
    }
  }
}

}  // namespace
}  // namespace ringspan
