// What the copying kernels of a rank's channels carry.

#include "models/workloads/protocol_cost.h"

#include <gtest/gtest.h>

#include "tests/support/plans.h"

namespace ringspan {
namespace {

// NCCL's limits on Hopper, per channel of its search: LL128 36.7 GB/s of data, 16/15 of it on the
// wire; a tree with Simple 38.7 GB/s. Two channels of the kernel serve one of the search, or four,
// which then share it: the four of 24 on 6.
TEST(ProtocolCost, ChannelsOfOneSearchChannelShareItsLimit) {
  const Profile hopper = testing::hopper_profile();
  const ProtocolCost ring(hopper, "ring", Protocol::LL128);
  const Bandwidth wire = scaled(bandwidth_from_gbytes_per_second(36.7), 16.0 / 15);
  EXPECT_NEAR(to_gbytes_per_second(*ring.kernel_limit(2, {16, 16})), to_gbytes_per_second(wire),
              1e-6);
  EXPECT_NEAR(to_gbytes_per_second(*ring.kernel_limit(4, {24, 12})), to_gbytes_per_second(wire),
              1e-6);
  const ProtocolCost tree(hopper, "tree", Protocol::Simple);
  EXPECT_NEAR(to_gbytes_per_second(*tree.kernel_limit(1, {16, 16})), 19.35, 1e-6);
  EXPECT_NEAR(to_gbytes_per_second(*tree.kernel_limit(1, {24, 12})), 19.35 / 2, 1e-6);
  // LL: 141 GB/s of a whole GPU, twice that on the wire, whatever the channels.
  const ProtocolCost ll(hopper, "ring", Protocol::LL);
  EXPECT_NEAR(to_gbytes_per_second(*ll.kernel_limit(24, {24, 12})), 282, 1e-6);
}

}  // namespace
}  // namespace ringspan
