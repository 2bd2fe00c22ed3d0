#include "models/workloads/fabric_paths.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

std::vector<std::string> names_after(const Topology& topology,
                                     const std::vector<std::pair<int, int>>& transfers) {
  const Profile profile = testing::ideal_profile();
  const auto gpus = topology.gpus();
  FabricPaths paths(topology, gpus, profile);
  for (const auto& [source, destination] : transfers) {
    const std::int32_t from[] = {source};
    const std::int32_t to[] = {destination};
    paths.path_index(from, to);
  }
  paths.finish();
  std::vector<std::string> names;
  for (const FabricResource& resource : paths.resources()) names.push_back(resource.name);
  return names;
}

// One transfer alone uses all its links alike: one resource, named in the order it is walked,
// whatever the numbers of the devices. The socket link is the narrowest.
TEST(FabricPaths, NameMergedLinksInTheOrderTheyAreWalked) {
  const Topology topology =
      testing::gpus_on_two_sockets(4, PeerReach::All, bandwidth_from_gbytes_per_second(25),
                                   bandwidth_from_gbytes_per_second(12));
  EXPECT_EQ(names_after(topology, {{3, 0}}),
            std::vector<std::string>{"gpu3 -> cpu1 -> cpu0 -> gpu0 (1 x custom)"});
}

// Both directions of two staged transfers share the switch's uplink, up and down.
TEST(FabricPaths, NameAnUplinkThatIsCrossedBothWays) {
  const Topology topology = testing::gpus_under_one_pcie_switch(2, PeerReach::Off);
  const std::vector<std::string> names = names_after(topology, {{0, 1}, {1, 0}});
  ASSERT_EQ(names.size(), 3U);
  EXPECT_EQ(names[0], "cpu0 -> psw0 -> cpu0 (custom x16)");
  EXPECT_EQ(names[1], "gpu0 -> psw0 -> gpu1 (custom x16)");
  EXPECT_EQ(names[2], "gpu1 -> psw0 -> gpu0 (custom x16)");
}

TEST(FabricPaths, NameAWayOverASwitch) {
  const Topology topology = testing::gpus_on_one_switch(2);
  EXPECT_EQ(names_after(topology, {{0, 1}}),
            std::vector<std::string>{"gpu0 -> nvswitch0 -> gpu1 (1 x custom)"});
}

}  // namespace
}  // namespace ringspan
