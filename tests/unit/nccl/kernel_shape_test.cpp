#include "models/nccl/kernel_shape.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

constexpr std::int64_t kKiB = 1024;

// LL on a ring of 8: 512 threads x 8 B x 8 ranks = 32 KiB of the vector keep a channel busy.
TEST(KernelShape, RingGetsAChannelForEvery32KiBOfLlOver8Ranks) {
  const auto shape = [](std::int64_t size) {
    return kernel_shape("ring", Protocol::LL, 8, Bytes{size}, 24);
  };
  EXPECT_EQ(shape(8), (KernelShape{1, 32 * kKiB}));
  EXPECT_EQ(shape(32 * kKiB), (KernelShape{1, 32 * kKiB}));
  EXPECT_EQ(shape(32 * kKiB + 1), (KernelShape{2, 32 * kKiB}));
  EXPECT_EQ(shape(64 * kKiB), (KernelShape{2, 32 * kKiB}));
  EXPECT_EQ(shape(24 * 32 * kKiB), (KernelShape{24, 0}));
}

// facts of NCCL's code: Ring Simple uses all 24 channels from 24 x 512 x 64 = 786,432 B up, LL128
// from 24 x 640 x 8 = 122,880 B.
TEST(KernelShape, AllChannelsFromNcclsSizesUp) {
  EXPECT_EQ(kernel_shape("ring", Protocol::Simple, 8, Bytes{786432}, 24).channels, 24);
  EXPECT_EQ(kernel_shape("ring", Protocol::Simple, 8, Bytes{23 * 32 * kKiB}, 24).channels, 23);
  EXPECT_EQ(kernel_shape("ring", Protocol::LL128, 8, Bytes{122880}, 24).channels, 24);
  EXPECT_EQ(kernel_shape("ring", Protocol::LL128, 8, Bytes{22 * 5120}, 24).channels, 22);
}

// A tree's LL does not count ranks: 4 KiB a channel. NVLS keeps its channels.
TEST(KernelShape, TreeAndNvls) {
  EXPECT_EQ(kernel_shape("tree", Protocol::LL, 16, Bytes{8 * kKiB}, 16).channels, 2);
  EXPECT_EQ(kernel_shape("nvls", Protocol::Simple, 8, Bytes{8}, 16), (KernelShape{16, 0}));
}

P2pMessages over_nvlink(std::int64_t message, int ranks) {
  return {Bytes{message}, ranks, 32, 32, true};
}

// 8 H100 on one node, 32 channels: 4 channels for every message (32 / 8), so 1 MiB goes in 4 parts
// of 256 KiB; 64 KiB is the least part. Beyond 4 x 16 MiB more channels join.
TEST(P2pParts, AsNcclCutsMessages) {
  EXPECT_EQ(p2p_parts(over_nvlink(1024 * kKiB, 8)), 4);
  EXPECT_EQ(p2p_parts(over_nvlink(128 * kKiB, 8)), 2);
  EXPECT_EQ(p2p_parts(over_nvlink(64 * kKiB, 8)), 1);
  EXPECT_EQ(p2p_parts(over_nvlink(65 * 1024 * kKiB, 8)), 8);
  EXPECT_EQ(p2p_parts(over_nvlink(1024 * kKiB, 2)), 16);
  EXPECT_EQ(p2p_parts(over_nvlink(1024 * kKiB, 72)), 1);
}

// 7 peers x 4 parts on 32 channels: 28 are busy. 72 ranks, one part each: the busiest of 32
// channels has ceil(72 / 32) = 3, so 71 parts take as long as on 71 / 3 = 23 channels.
TEST(P2pParts, BusyChannels) {
  EXPECT_EQ(busy_channels(over_nvlink(1024 * kKiB, 8), 7), 28);
  EXPECT_EQ(busy_channels(over_nvlink(1024 * kKiB, 72), 71), 23);
  EXPECT_EQ(busy_channels(over_nvlink(1, 2), 1), 1);
}

// Up to 16 KiB a part; before 2.29 16 KiB for each of the 32 channels of a peer.
TEST(P2pParts, LlByVersion) {
  EXPECT_TRUE(p2p_uses_ll(over_nvlink(16 * kKiB, 8), {2, 29}));
  EXPECT_FALSE(p2p_uses_ll(over_nvlink(16 * kKiB + 1, 8), {2, 29}));
  EXPECT_TRUE(p2p_uses_ll(over_nvlink(512 * kKiB, 8), {2, 28}));
  EXPECT_FALSE(p2p_uses_ll(over_nvlink(512 * kKiB + 1, 8), {2, 28}));
}

}  // namespace
}  // namespace ringspan
