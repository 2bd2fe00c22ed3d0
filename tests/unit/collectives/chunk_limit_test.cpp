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

}  // namespace
}  // namespace ringspan
