#include "models/collectives/algorithm.h"

#include <algorithm>

namespace ringspan {

bool Algorithm::can(CollectiveKind kind) const {
  const std::vector<CollectiveKind> kinds = collectives();
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace ringspan
