#include "models/workloads/size_cut.h"

#include <algorithm>

#include "models/collectives/chunk_limit.h"
#include "sim/base/check.h"

namespace ringspan {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

// Where blocks have owners, every owner has one for each head.
std::int64_t head_count(const PlanOutline& outline) {
  const std::int64_t blocks = outline.classes.front().schedule->block_count();
  const bool owned = outline.spec.kind != CollectiveKind::AllReduce;
  return owned ? std::max<std::int64_t>(1, blocks / outline.spec.ranks) : blocks;
}

std::int64_t largest_chunk(const PlanOutline& outline, Protocol protocol, Bytes size) {
  return chunk_limit({.algorithm = outline.algorithm,
                      .kind = outline.spec.kind,
                      .protocol = protocol,
                      .ranks = outline.spec.ranks,
                      .nodes = outline.nodes,
                      .heads = head_count(outline),
                      .channels = outline.channels,
                      .buffer = outline.buffer,
                      .size = size});
}

// NCCL's slice of a chunk (src/device/prims_simple.h): an equal part in units of 16 B, but never
// less than 1/32 of a full slice, so that a small chunk is not split into crumbs.
std::int64_t slice_of(std::int64_t chunk, int slices_per_chunk, std::int64_t full_slice) {
  constexpr std::int64_t kUnit = 16;
  const std::int64_t part = ceil_div(chunk, kUnit * slices_per_chunk) * kUnit;
  return std::min(chunk, std::max(part, full_slice / 32));
}

}  // namespace

SizeCut cut_size(const PlanOutline& outline, Protocol protocol, Bytes size,
                 std::int64_t per_channel) {
  RINGSPAN_CHECK(size.count > 0, "there must be something to move");
  const Schedule& schedule = *outline.classes.front().schedule;
  SizeCut cut;
  cut.protocol = protocol;
  const std::int64_t block = ceil_div(size.count, schedule.block_divisor());
  const std::int64_t full = ceil_div(per_channel, schedule.block_divisor());
  cut.block_payload = std::max(ceil_div(block, outline.channels), std::min(block, full));
  if (schedule.pacing() == Pacing::Messages) {
    cut.chunk_payload = cut.last_chunk = cut.slice_payload = cut.last_slice = cut.block_payload;
    return cut;
  }
  const ChunkShape shape = chunk_shape(outline.algorithm, outline.spec.kind, protocol);
  const int slices_per_chunk = shape.steps_per_chunk / shape.steps_per_slice;
  const std::int64_t most = largest_chunk(outline, protocol, size);
  const std::int64_t full_slice = most / slices_per_chunk;
  cut.loops = ceil_div(cut.block_payload, most);
  cut.chunk_payload = std::min(most, cut.block_payload);
  cut.last_chunk = cut.block_payload - (cut.loops - 1) * most;
  cut.slice_payload = slice_of(cut.chunk_payload, slices_per_chunk, full_slice);
  cut.slices = static_cast<int>(ceil_div(cut.chunk_payload, cut.slice_payload));
  cut.last_slice = slice_of(cut.last_chunk, slices_per_chunk, full_slice);
  cut.last_slices = static_cast<int>(ceil_div(cut.last_chunk, cut.last_slice));
  cut.window = kBufferSteps / shape.steps_per_slice;
  return cut;
}

std::int64_t slice_count(const PlanOutline& outline, const SizeCut& cut) {
  const std::int64_t per_operation = (cut.loops - 1) * cut.slices + cut.last_slices;
  std::int64_t count = 0;
  for (const ChannelClass& channel_class : outline.classes) {
    count += channel_class.schedule->operation_count() * per_operation;
  }
  return count;
}

}  // namespace ringspan
