#include "models/collectives/chunk_limit.h"

#include <algorithm>
#include <bit>

namespace ringspan {

namespace {

constexpr std::int64_t kKiB = 1 << 10;
constexpr std::int64_t kLine = 1920;             // of LL128: chunks are whole ones
constexpr std::int64_t kNvlsChunk = 128 * kKiB;  // NCCL_NVLS_CHUNKSIZE

// NCCL lowers a chunk step by step, where the size has too few of the chunk as it is by then.
class Chunk {
 public:
  Chunk(std::int64_t chunk, std::int64_t size, std::int64_t side_by_side)
      : chunk_(chunk), size_(size), side_by_side_(side_by_side) {}

  Chunk& lower_to(std::int64_t lower, std::int64_t if_fewer_than) {
    if (size_ < if_fewer_than * side_by_side_ * chunk_) chunk_ = std::min(chunk_, lower);
    return *this;
  }
  Chunk& halve_down_to(std::int64_t lowest, std::int64_t while_fewer_than) {
    while (chunk_ > lowest && size_ < while_fewer_than * side_by_side_ * chunk_) chunk_ /= 2;
    return *this;
  }
  std::int64_t bytes() const { return chunk_; }

 private:
  std::int64_t chunk_;
  std::int64_t size_;
  std::int64_t side_by_side_;
};

// Payload of a step of the buffer: whole grains of 512 B, as chunks with Simple are.
std::int64_t step_of(const ChunkQuestion& question) {
  constexpr std::int64_t kGrain = 512;
  const bool own = question.protocol != Protocol::Simple || question.buffer.count == 0;
  if (own) return protocol_geometry(question.protocol).step.count;
  return std::max(kGrain, question.buffer.count / kBufferSteps / kGrain * kGrain);
}

// Trees with LL128 go on with smaller chunks the deeper they are for the size.
std::int64_t tree_chunk(std::int64_t buffer, const ChunkQuestion& question) {
  const double ranks_per_node = static_cast<double>(question.ranks) / question.nodes;
  const double depth =
      1 + std::bit_width(static_cast<unsigned>(question.nodes)) - 1 + 0.1 * ranks_per_node;
  std::int64_t chunk = buffer;
  const auto fewer_than = [&](double loops) {
    return static_cast<double>(question.size.count) <
           loops * depth / ranks_per_node * question.channels * static_cast<double>(chunk);
  };
  while (chunk > 128 * kKiB && fewer_than(64)) chunk /= 2;
  while (chunk > 32 * kKiB && fewer_than(16)) chunk /= 2;
  return chunk / kLine * kLine;
}

}  // namespace

std::int64_t chunk_limit(const ChunkQuestion& question) {
  const ChunkShape shape = chunk_shape(question.algorithm, question.kind, question.protocol);
  const std::int64_t buffer = step_of(question) * shape.steps_per_chunk;
  const std::int64_t size = question.size.count;
  const std::int64_t heads = question.channels * question.heads;
  if (question.algorithm == "tree" && question.protocol == Protocol::LL128) {
    return tree_chunk(buffer, question);
  }
  if (question.algorithm == "nvls") return kNvlsChunk;
  if (question.algorithm == "nvlstree") {
    // NCCL's steps to 256 and 128 KiB have no effect on chunks of 128 KiB.
    const std::int64_t most = question.nodes >= 4 ? 64 * kKiB : kNvlsChunk;
    return Chunk(most, size, heads).lower_to(64 * kKiB, 4).lower_to(32 * kKiB, 1).bytes();
  }
  if (question.algorithm == "pat") {
    const std::int64_t enough = question.kind == CollectiveKind::AllGather ? 32 : 16;
    return Chunk(buffer, size, question.channels).halve_down_to(64 * kKiB, enough).bytes();
  }
  if (question.algorithm == "collnetdirect") {
    constexpr std::int64_t kDepth = 2;  // to the heads and through the network
    return Chunk(buffer, size, heads)
        .halve_down_to(128 * kKiB, 64 * kDepth)
        .halve_down_to(64 * kKiB, 8 * kDepth)
        .halve_down_to(32 * kKiB, 8 * kDepth)
        .bytes();
  }
  if (question.algorithm == "collnetchain") {
    const std::int64_t depth = question.ranks / question.nodes;
    return Chunk(std::min(256 * kKiB, buffer), size, question.channels)
        .halve_down_to(128 * kKiB, 64 * depth)
        .halve_down_to(64 * kKiB, 8 * depth)
        .halve_down_to(32 * kKiB, depth)
        .bytes();
  }
  return buffer;
}

}  // namespace ringspan
