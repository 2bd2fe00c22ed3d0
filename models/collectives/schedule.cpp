#include "models/collectives/schedule.h"

#include "sim/base/check.h"

namespace ringspan {

std::int32_t Schedule::block_owner(std::int64_t block) const {
  const CollectiveKind kind = spec_.kind;
  RINGSPAN_CHECK(kind != CollectiveKind::AllReduce && kind != CollectiveKind::Broadcast &&
                     kind != CollectiveKind::Reduce,
                 "the collective's blocks have no owner");
  RINGSPAN_CHECK(block >= 0 && block < block_count(), "no such block");
  return static_cast<std::int32_t>(block / (block_count() / ranks()));
}

}  // namespace ringspan
