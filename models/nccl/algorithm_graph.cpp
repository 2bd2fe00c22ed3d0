#include "models/nccl/algorithm_graph.h"

#include <array>

namespace ringspan {

std::string_view path_type_name(PathType type) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace ringspan
