#include "models/collectives/chunk_limit.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

constexpr std::int64_t kKiB = 1 << 10;
constexpr std::int64_t kMiB = 1 << 20;

TEST(ChunkLimit, IsTheBuffersStepsForRingAndTree) {
  // 4 steps of 512 KiB; 1 step; one LL step holds 32 KiB of data.
  EXPECT_EQ(chunk_limit({.algorithm = "ring", .size = Bytes{kMiB}}), 2 * kMiB);
  EXPECT_EQ(chunk_limit({.algorithm = "tree", .size = Bytes{kMiB}}), 512 * kKiB);
  EXPECT_EQ(chunk_limit({.algorithm = "tree", .protocol = Protocol::LL, .size = Bytes{kMiB}}),
            32 * kKiB);
}

// 16 channels x 8 heads x 128 KiB = 16 MiB move side by side on two nodes of a DGX H100.
TEST(ChunkLimit, OfNvlsTreeFallsWithTheSizeAndFromFourNodesOn) {
  const auto limit = [](int nodes, std::int64_t size) {
    return chunk_limit({.algorithm = "nvlstree",
                        .ranks = 8 * nodes,
                        .nodes = nodes,
                        .heads = 8,
                        .channels = 16,
                        .size = Bytes{size}});
  };
  EXPECT_EQ(limit(2, 64 * kMiB), 128 * kKiB);
  EXPECT_EQ(limit(2, 64 * kMiB - 1), 64 * kKiB);
  EXPECT_EQ(limit(2, 8 * kMiB), 64 * kKiB);  // of 64 KiB 8 MiB move
  EXPECT_EQ(limit(2, 8 * kMiB - 1), 32 * kKiB);
  EXPECT_EQ(limit(4, 1024 * kMiB), 64 * kKiB);
  EXPECT_EQ(limit(4, 8 * kMiB - 1), 32 * kKiB);
}

TEST(ChunkLimit, OfPatIsHalvedWhileTheSizeHasFewOfThem) {
  const auto limit = [](CollectiveKind kind, std::int64_t size) {
    return chunk_limit({.algorithm = "pat", .kind = kind, .channels = 4, .size = Bytes{size}});
  };
  // all_gather: 32 x 4 x 512 KiB = 64 MiB; at 63 MiB 256 KiB, at 16 MiB 128, from there 64.
  EXPECT_EQ(limit(CollectiveKind::AllGather, 64 * kMiB), 512 * kKiB);
  EXPECT_EQ(limit(CollectiveKind::AllGather, 63 * kMiB), 256 * kKiB);
  EXPECT_EQ(limit(CollectiveKind::AllGather, 16 * kMiB), 128 * kKiB);
  EXPECT_EQ(limit(CollectiveKind::AllGather, kMiB), 64 * kKiB);
  EXPECT_EQ(limit(CollectiveKind::ReduceScatter, 32 * kMiB), 512 * kKiB);
}

TEST(ChunkLimit, OfCollnetIsHalvedByDepth) {
  const auto limit = [](std::string_view algorithm, std::int64_t size) {
    return chunk_limit({.algorithm = algorithm,
                        .ranks = 16,
                        .nodes = 2,
                        .heads = algorithm == "collnetdirect" ? 8 : 1,
                        .channels = 16,
                        .size = Bytes{size}});
  };
  // Direct: depth 2, 16 x 8 x 512 KiB = 64 MiB side by side; 128 of them for the full chunk.
  EXPECT_EQ(limit("collnetdirect", 128 * 64 * kMiB), 512 * kKiB);
  EXPECT_EQ(limit("collnetdirect", 1024 * kMiB), 128 * kKiB);  // less than 64 x 2 of 256 KiB
  EXPECT_EQ(limit("collnetdirect", 16 * kMiB), 32 * kKiB);
  // Chain: depth 8 ranks, 16 x 256 KiB = 4 MiB side by side; 64 x 8 of them for the full chunk.
  EXPECT_EQ(limit("collnetchain", 2048 * kMiB), 256 * kKiB);
  EXPECT_EQ(limit("collnetchain", 2047 * kMiB), 128 * kKiB);
  EXPECT_EQ(limit("collnetchain", kMiB), 32 * kKiB);
}

// 16 ranks on 2 nodes, 16 channels: depth 1 + 1 + 0.8 = 2.8, 64 x 2.8 / 8 = 22.4 loops wanted down
// to 128 KiB, 16 x 2.8 / 8 = 5.6 down to 32 KiB. 576,000 B halve to 144,000 and 72,000 at most in
// the first pass (above 131,072 only) and to 36,000 and 18,000 in the second (above 32,768 only).
TEST(ChunkLimit, TreesWithLl128GoOnInSmallerChunks) {
  const auto chunk = [](std::int64_t size) {
    return chunk_limit({.algorithm = "tree",
                        .protocol = Protocol::LL128,
                        .ranks = 16,
                        .nodes = 2,
                        .channels = 16,
                        .size = Bytes{size}});
  };
  EXPECT_EQ(chunk(1024 * kMiB), 576000);  // 1024 MiB / (16 x 576,000) = 116 loops
  EXPECT_EQ(chunk(128 * kMiB), 288000);   // 14.6 loops of 576,000; 29 of 288,000
  EXPECT_EQ(chunk(32 * kMiB), 71040);     // 3.6, 7.3, 14.6 loops: 29 of 72,000, 37 whole lines
  EXPECT_EQ(chunk(kMiB), 17280);          // 18,000 is 9 whole lines
}

}  // namespace
}  // namespace ringspan
