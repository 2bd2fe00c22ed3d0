#include "models/collectives/rounded_size.h"

#include <algorithm>

namespace ringspan {

RoundedSize rounded_size(CollectiveKind kind, Bytes asked, int element_bytes, int ranks,
                         bool whole_16_bytes) {
  if (!collective_has_shares(kind)) {
    return {asked.count / element_bytes * element_bytes, asked.count / element_bytes};
  }
  const std::int64_t unit = whole_16_bytes ? std::max<std::int64_t>(1, 16 / element_bytes) : 1;
  const std::int64_t count = asked.count / element_bytes / ranks / unit * unit;
  return {count * element_bytes * ranks, count};
}

}  // namespace ringspan
