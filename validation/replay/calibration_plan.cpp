#include "validation/replay/calibration_plan.h"

#include <utility>

#include "models/collectives/rounded_size.h"

namespace ringspan {

namespace {

// A large call takes long enough by itself.
int calls_of(Bytes size) {
  constexpr std::int64_t kSmall = 64 << 10;
  constexpr std::int64_t kMiddle = 4 << 20;
  if (size.count <= kSmall) return 20;
  return size.count <= kMiddle ? 5 : 2;
}

}  // namespace

Plan calibration_plan(int ranks, Bytes most) {
  constexpr std::int64_t kLeast = 8;
  constexpr std::int64_t kStep = 8;
  constexpr int kRepeats = 5;
  constexpr int kFloat = 4;  // bytes
  Plan plan;
  plan.ranks = ranks;
  plan.repeats = kRepeats;
  const auto add = [&](CollectiveKind kind, Bytes size, std::vector<std::int32_t> of) {
    PlannedCollective item;
    item.collective = kind;
    item.size = size;
    item.ranks = std::move(of);
    item.iterations = calls_of(size);
    plan.collectives.push_back(std::move(item));
  };
  for (const CollectiveKind kind : kAllCollectives) {
    for (std::int64_t size = kLeast; size <= most.count; size *= kStep) {
      // Where ranks have shares, smaller ones than 16 bytes are none.
      if (rounded_size(kind, {size}, kFloat, ranks).bytes > 0) add(kind, {size}, {});
    }
  }
  if (ranks <= 2) return plan;
  for (const CollectiveKind kind : {CollectiveKind::SendRecv, CollectiveKind::Broadcast}) {
    for (std::int64_t size = kLeast; size <= most.count; size *= kStep) add(kind, {size}, {0, 1});
  }
  return plan;
}

}  // namespace ringspan
