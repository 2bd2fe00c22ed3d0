#include "topologies/fabrics/fabric_routings.h"

namespace ringspan {

std::vector<std::string> fabric_routings(std::string_view kind) {
  if (kind == "nvlink-domain") return {};
  if (kind == "torus") return {"dimension-order", "minimal", "valiant"};
  if (kind == "dragonfly") return {"minimal", "valiant"};
  std::vector<std::string> switched = {"ecmp", "static", "spray", "adaptive"};
  if (kind == "custom") switched.emplace_back("minimal");
  return switched;
}

}  // namespace ringspan
