#include "models/collectives/collective.h"

#include <string>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

std::string_view collective_name(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return "all_reduce";
    case CollectiveKind::AllGather:
      return "all_gather";
    case CollectiveKind::ReduceScatter:
      return "reduce_scatter";
    case CollectiveKind::AllToAll:
      return "alltoall";
    case CollectiveKind::Broadcast:
      return "broadcast";
    case CollectiveKind::Reduce:
      return "reduce";
    case CollectiveKind::Gather:
      return "gather";
    case CollectiveKind::Scatter:
      return "scatter";
    case CollectiveKind::SendRecv:
      return "sendrecv";
  }
  RINGSPAN_CHECK(false, "unknown collective kind");
}

CollectiveKind collective_from_name(std::string_view name) {
  std::vector<std::string> names;
  for (const CollectiveKind kind : kAllCollectives) {
    if (collective_name(kind) == name) return kind;
    names.emplace_back(collective_name(kind));
  }
  throw InputError("unknown collective '" + std::string(name) + "'", name_hint(name, names));
}

std::string_view collective_description(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return "every rank gets the sum over all ranks";
    case CollectiveKind::AllGather:
      return "every rank gets the shares of all ranks";
    case CollectiveKind::ReduceScatter:
      return "every rank gets its share of the sum over all ranks";
    case CollectiveKind::AllToAll:
      return "every rank sends a different block to every rank";
    case CollectiveKind::Broadcast:
      return "every rank gets the root's vector";
    case CollectiveKind::Reduce:
      return "the root gets the sum over all ranks";
    case CollectiveKind::Gather:
      return "the root gets the blocks of all ranks";
    case CollectiveKind::Scatter:
      return "every rank gets its block from the root";
    case CollectiveKind::SendRecv:
      return "every rank sends its vector to the next rank";
  }
  RINGSPAN_CHECK(false, "unknown collective kind");
}

double busbw_factor(CollectiveKind kind, int ranks) {
  if (ranks <= 1) return 0;
  const double n = ranks;
  switch (kind) {
    case CollectiveKind::AllReduce:
      return 2 * (n - 1) / n;
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllToAll:
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
      return (n - 1) / n;
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
    case CollectiveKind::SendRecv:
      return 1;
  }
  RINGSPAN_CHECK(false, "unknown collective kind");
}

bool collective_has_root(CollectiveKind kind) {
  return kind == CollectiveKind::Broadcast || kind == CollectiveKind::Reduce ||
         kind == CollectiveKind::Gather || kind == CollectiveKind::Scatter;
}

bool collective_reduces(CollectiveKind kind) {
  return kind == CollectiveKind::AllReduce || kind == CollectiveKind::ReduceScatter ||
         kind == CollectiveKind::Reduce;
}

bool collective_has_shares(CollectiveKind kind) {
  return kind != CollectiveKind::AllReduce && kind != CollectiveKind::Broadcast &&
         kind != CollectiveKind::Reduce && kind != CollectiveKind::SendRecv;
}

}  // namespace ringspan
