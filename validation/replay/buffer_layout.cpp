#include "validation/replay/buffer_layout.h"

#include "sim/base/check.h"

namespace ringspan {

BufferLayout buffer_layout(CollectiveKind kind, int ranks, int rank, int root, std::int64_t share) {
  const std::int64_t all = share * ranks;
  const bool is_root = rank == root;
  switch (kind) {
    case CollectiveKind::AllReduce:
    case CollectiveKind::SendRecv:
      return {share, share, 0, 0};
    case CollectiveKind::AllGather:
      return {share, all, share * rank, 0};
    case CollectiveKind::ReduceScatter:
      return {all, share, 0, share * rank};
    case CollectiveKind::AllToAll:
      return {all, all, 0, 0};
    case CollectiveKind::Broadcast:
      return {is_root ? share : 0, share, 0, 0};
    case CollectiveKind::Reduce:
      return {share, is_root ? share : 0, 0, 0};
    case CollectiveKind::Gather:
      return {share, is_root ? all : 0, is_root ? share * rank : 0, 0};
    case CollectiveKind::Scatter:
      return {is_root ? all : 0, share, 0, is_root ? share * rank : 0};
  }
  RINGSPAN_CHECK(false, "unknown collective kind");
}

}  // namespace ringspan
