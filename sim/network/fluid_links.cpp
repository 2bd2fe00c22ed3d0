#include "sim/network/fluid_links.h"

#include "sim/base/check.h"

namespace ringspan::fluid {

std::vector<Link> make_links(std::span<const NetworkLink> links) {
  std::vector<Link> made(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    RINGSPAN_CHECK(links[i].latency.count() >= 0, "a link's latency must not be negative");
    made[i].capacity = to_bytes_per_picosecond(links[i].rate);
    made[i].latency = links[i].latency.count();
  }
  return made;
}

}  // namespace ringspan::fluid
