#include "models/nccl/transport.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "sim/base/input_error.h"
#include "tests/support/fabrics.h"
#include "tests/support/nic_servers.h"

namespace ringspan {
namespace {

using ringspan::testing::make_cluster;
using ringspan::testing::make_domain;
using ringspan::testing::NicServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

NicServer own_switches() {
  return {.gpus_per_switch = 1, .nics_per_switch = 1, .switches_per_cpu = 4};
}

std::vector<std::int32_t> own(const Transport& transport, std::int32_t gpu) {
  const auto nics = transport.nics_of(0, gpu);
  return {nics.begin(), nics.end()};
}

// By kind 0 alone, on two domains.
std::vector<std::vector<std::int32_t>> shares(DomainKind kind) {
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(kind));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 0}, 50);
  const Transport transport(cluster);
  std::vector<std::vector<std::int32_t>> result;
  const auto gpus = static_cast<std::int32_t>(cluster.kinds()[0].gpus.size());
  for (std::int32_t gpu = 0; gpu < gpus; ++gpu) result.push_back(own(transport, gpu));
  return result;
}

TEST(Transport, GivesEveryGpuTheNicOfItsSwitch) {
  const auto nics = shares(make_domain(own_switches()));
  for (std::int32_t gpu = 0; gpu < 8; ++gpu) {
    EXPECT_THAT(nics[static_cast<std::size_t>(gpu)], ElementsAre(gpu));
  }
}

TEST(Transport, SharesOutTheNicsOfASwitch) {
  // As many as GPUs: one each.
  EXPECT_THAT(shares(make_domain({.gpus = 4})),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2), ElementsAre(3)));
  // One for two GPUs.
  EXPECT_THAT(shares(make_domain({.gpus = 4, .nics_per_switch = 1})),
              ElementsAre(ElementsAre(0), ElementsAre(0), ElementsAre(1), ElementsAre(1)));
  // Four for two GPUs: ceil(4/2) = 2 each; GPU 1 starts at 1 with turned bits, of two: 2.
  EXPECT_THAT(shares(make_domain({.gpus = 2, .nics_per_switch = 4})),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  // Three for two: ceil(3/2) = 2 each, and no turning.
  EXPECT_THAT(shares(make_domain({.gpus = 2, .nics_per_switch = 3})),
              ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2)));
  // Eight for eight: the bits of 0 .. 7 turned.
  EXPECT_THAT(shares(make_domain({.gpus_per_switch = 8, .nics_per_switch = 8})),
              ElementsAre(ElementsAre(0), ElementsAre(4), ElementsAre(2), ElementsAre(6),
                          ElementsAre(1), ElementsAre(5), ElementsAre(3), ElementsAre(7)));
}

// GPU 0's NIC is dead: NICs 1 to 3 of its socket are equally far and each nearest to another GPU
// alone, so it takes turns with all three; it sends through their GPUs.
TEST(Transport, AGpuWhoseNicIsDeadUsesTheOthers) {
  DomainKind kind = make_domain(own_switches());
  kind.nics.erase(kind.nics.begin());
  kind.rails.erase(kind.rails.begin());
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(kind));
  kinds.push_back(make_domain(own_switches()));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 1}, 50);
  const Transport transport(cluster);
  EXPECT_THAT(own(transport, 0), ElementsAre(0, 1, 2));  // rails 1, 2, 3
  EXPECT_THAT(own(transport, 1), ElementsAre(0));
  EXPECT_EQ(transport.legs({0, 0}, {1, 2}, 0).send, (NicLeg{1, 2, true}));
  EXPECT_EQ(transport.legs({1, 0}, {0, 0}, 1).receive, (NicLeg{1, -1, false}));
  EXPECT_EQ(transport.legs({1, 0}, {0, 0}, 1).send, (NicLeg{2, 2, true}));
}

// AWS p5: four NICs a GPU; channels take turns.
TEST(Transport, ChannelsTakeTurnsWithAGpusNics) {
  const NicServer shape{.gpus_per_switch = 1, .nics_per_switch = 4, .switches_per_cpu = 4};
  const Cluster cluster = make_cluster(shape, 2, 12.5);
  const Transport transport(cluster);
  EXPECT_TRUE(transport.tells_channels_apart());
  // GPU 3's own NICs are 12 .. 15.
  for (const std::int32_t channel : {0, 1, 2, 3, 4, 9}) {
    EXPECT_EQ(transport.nic_of(0, 3, channel), 12 + channel % 4);
    const auto legs = transport.legs({0, 3}, {1, 3}, channel);
    EXPECT_EQ(legs.send, (NicLeg{12 + channel % 4, -1, true}));
    EXPECT_EQ(legs.receive, legs.send);
  }
  EXPECT_FALSE(Transport(make_cluster(own_switches(), 2, 50)).tells_channels_apart());
}

// A far NIC behind Gen5 (48 GB/s to NCCL) before a near one behind Gen3 (12).
TEST(Transport, BandwidthComesBeforeDistance) {
  fabrics::Maker make("two NICs", 90);
  make.gpus_until(1);
  const NodeId cpu = make.cpu("cpu0", "amd");
  const NodeId psw = make.device("psw0", DeviceKind::PcieSwitch);
  const NodeId near = make.device("nic0", DeviceKind::Nic);
  const NodeId far = make.device("nic1", DeviceKind::Nic);
  make.builder.add_duplex(psw, cpu, fabrics::pcie(5));
  make.builder.add_duplex(psw, make.gpus[0], fabrics::pcie(5));
  make.builder.add_duplex(psw, near, fabrics::pcie(3));
  make.builder.add_duplex(cpu, far, fabrics::pcie(5));
  DomainKind kind{
      std::move(make.builder).build(), make.gpus, {near, far}, {0, 1}, GpuDirectReach::Switch};
  DomainKind slow_network{kind.topology, kind.gpus, kind.nics, kind.rails, kind.gpu_direct};
  EXPECT_THAT(shares(std::move(kind)), ElementsAre(ElementsAre(1)));
  // With a network of 10 GB/s both are worth that, and the near one is taken.
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(slow_network));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 0}, 10);
  EXPECT_THAT(own(Transport(cluster), 0), ElementsAre(0));
}

TEST(Transport, KnowsWhatTheCablesOfANicCarry) {
  const Cluster cluster = make_cluster(own_switches(), 2, 25);
  EXPECT_EQ(Transport(cluster).nic_rate(0, 3), fabrics::gbytes(25));
}

// A send to a GPU of rail 3 leaves by NIC 3, through GPU 3.
TEST(Transport, PxnSendsOnTheReceiversRail) {
  const Cluster cluster = make_cluster(own_switches(), 2, 50);
  const Transport with(cluster);
  EXPECT_EQ(with.legs({0, 0}, {1, 3}, 0).send, (NicLeg{3, 3, true}));
  EXPECT_EQ(with.legs({0, 0}, {1, 3}, 0).receive, (NicLeg{3, -1, true}));
  EXPECT_EQ(with.legs({0, 3}, {1, 3}, 0).send, (NicLeg{3, -1, true}));
  const Transport without(cluster, {.pxn = false});
  EXPECT_EQ(without.legs({0, 0}, {1, 3}, 0).send, (NicLeg{0, -1, true}));
  EXPECT_EQ(without.legs({0, 0}, {1, 3}, 0).receive, (NicLeg{3, -1, true}));
}

// GPUs 0 and 1 share a switch with NICs 0 and 1: no other GPU is needed.
TEST(Transport, PrefersANearNicToAProxy) {
  const Cluster cluster = make_cluster(NicServer{}, 2, 50);
  const Transport transport(cluster);
  EXPECT_EQ(transport.legs({0, 0}, {1, 1}, 0).send, (NicLeg{1, -1, true}));
  EXPECT_EQ(transport.legs({0, 0}, {1, 2}, 0).send, (NicLeg{2, 2, true}));
}

// One switch has the only NIC; the GPUs of the other reach it through GPU 0 over NVLink, and what
// they receive is staged.
TEST(Transport, PxnSparesTheCpu) {
  DomainKind kind = make_domain({.gpus = 4});
  kind.nics = {kind.nics[0]};
  kind.rails = {0};
  std::vector<DomainKind> kinds;
  kinds.push_back(std::move(kind));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 0}, 50);
  const auto legs = Transport(cluster).legs({0, 3}, {1, 3}, 0);
  EXPECT_EQ(legs.send, (NicLeg{0, 0, true}));
  EXPECT_EQ(legs.receive, (NicLeg{0, -1, false}));
  EXPECT_EQ(Transport(cluster, {.pxn = false}).legs({0, 3}, {1, 3}, 0).send,
            (NicLeg{0, -1, false}));
}

// A rack of two trays: only GPUs of the same server are proxies, though NVLink reaches them all.
TEST(Transport, PxnStaysInTheServer) {
  const Cluster cluster = make_cluster(
      NicServer{.gpus = 2, .gpus_per_switch = 1, .nics_per_switch = 1, .servers = 2}, 2, 50);
  const Transport transport(cluster);
  // GPU 2 is GPU 0 of tray 1; its tray's NICs are 2 and 3, on rails 0 and 1.
  EXPECT_EQ(transport.legs({0, 2}, {1, 1}, 0).send, (NicLeg{3, 3, true}));
  EXPECT_EQ(transport.distance(0, 2, 1), PathKind::Local);
}

TEST(Transport, PxnNeedsNvlink) {
  NicServer shape = own_switches();
  shape.nvlinks = 0;
  const Cluster cluster = make_cluster(shape, 2, 50);
  EXPECT_EQ(Transport(cluster).legs({0, 0}, {1, 3}, 0).send, (NicLeg{0, -1, true}));
}

// GPU 0 to NIC 0 under its switch, to NIC 1 over the CPU, to NIC 4 across the sockets.
TEST(Transport, GpuDirectReachesAsFarAsItIsSaid) {
  const std::vector<std::pair<GpuDirectReach, std::vector<bool>>> expected = {
      {GpuDirectReach::Off, {false, false, false}},
      {GpuDirectReach::Switch, {true, false, false}},
      {GpuDirectReach::Socket, {true, true, false}},
      {GpuDirectReach::All, {true, true, true}}};
  for (const auto& [reach, direct] : expected) {
    NicServer shape = own_switches();
    shape.gpu_direct = reach;
    const Cluster cluster = make_cluster(shape, 2, 50);
    const Transport transport(cluster);
    EXPECT_EQ(transport.gpu_direct(0, 0, 0), direct[0]);
    EXPECT_EQ(transport.gpu_direct(0, 0, 1), direct[1]);
    EXPECT_EQ(transport.gpu_direct(0, 0, 4), direct[2]);
    EXPECT_EQ(transport.legs({0, 0}, {1, 0}, 0).send.gpu_direct, direct[0]);
  }
}

// GB200: the CPU between GPU and NIC is the GPU's own, over C2C (P2C).
TEST(Transport, GpuDirectPassesTheCpuOverC2c) {
  const Cluster cluster = make_cluster(
      NicServer{.gpus = 4, .compute_capability = 100, .switches_per_cpu = 1, .c2c = true}, 2, 50);
  const Transport transport(cluster);
  EXPECT_TRUE(transport.gpu_direct(0, 0, 0));
  EXPECT_TRUE(transport.gpu_direct(0, 0, 1));
  EXPECT_FALSE(transport.gpu_direct(0, 0, 2));  // the other Grace's
  EXPECT_EQ(transport.legs({0, 0}, {1, 2}, 0).send, (NicLeg{2, 2, true}));
}

std::string refusal(const Cluster& cluster, const TransportOptions& options, const GpuPlace& from,
                    const GpuPlace& to) {
  try {
    Transport(cluster, options).legs(from, to, 0);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Transport, RailsThatAreNotJoinedNeedPxn) {
  const Cluster cluster = make_cluster(own_switches(), 2, 50, false);
  EXPECT_EQ(refusal(cluster, {}, {0, 0}, {1, 3}), "");
  EXPECT_EQ(refusal(cluster, {.pxn = false}, {0, 3}, {1, 3}), "");
  const std::string message = refusal(cluster, {.pxn = false}, {0, 0}, {1, 3});
  EXPECT_THAT(message,
              HasSubstr("server0.gpu0 sends on rail 0 and server1.gpu3 receives on rail 3"));
  EXPECT_THAT(message, HasSubstr("without PXN"));
  EXPECT_THAT(message, HasSubstr("pxn = true"));
}

TEST(Transport, RailsThatAreNotJoinedNeedNvlink) {
  NicServer shape = own_switches();
  shape.nvlinks = 0;
  const Cluster cluster = make_cluster(shape, 2, 50, false);
  EXPECT_THAT(refusal(cluster, {}, {0, 0}, {1, 3}), HasSubstr("over NVLink"));
  EXPECT_EQ(refusal(cluster, {}, {0, 3}, {1, 3}), "");
}

TEST(Transport, RefusesAServerWithoutNics) {
  DomainKind bare = make_domain({.gpus = 2});
  bare.nics.clear();
  bare.rails.clear();
  std::vector<DomainKind> kinds;
  kinds.push_back(make_domain({.gpus = 2}));
  kinds.push_back(std::move(bare));
  const Cluster cluster = make_cluster(std::move(kinds), {0, 1}, 50);
  EXPECT_THROW(Transport{cluster}, InputError);
}

}  // namespace
}  // namespace ringspan
