#include "tests/bench/peer_fabric.h"

#include <cmath>

namespace ringspan::bench {

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

PeerFabric::PeerFabric(const PeerOptions& options)
    : per_leaf_(options.topo == "star" ? options.hosts : options.hosts_per_leaf),
      spines_(options.spines),
      first_leaf_link_(2 * options.hosts),
      hashed_(options.routes == "hash"),
      seed_(options.seed) {
  const NetworkLink link{Bandwidth{std::llround(options.bandwidth * 8)},
                         duration_from_seconds(options.latency)};
  const std::uint32_t leaves = options.hosts / per_leaf_;
  const std::uint32_t leaf_links = leaves > 1 ? 2 * leaves * spines_ : 0;
  links_.assign(first_leaf_link_ + leaf_links, link);
  if (options.slow_link) {
    const Bandwidth rate{std::llround(options.bandwidth * 8 * options.slow_link->factor)};
    links_[2 * options.slow_link->host].rate = rate;
    links_[2 * options.slow_link->host + 1].rate = rate;
  }
}

std::uint32_t PeerFabric::spine_of(std::uint32_t source, std::uint32_t destination) const {
  if (!hashed_) {
    return destination % spines_;
  }
  const std::uint64_t pair = (std::uint64_t{source} << 32) | destination;
  return static_cast<std::uint32_t>(mixed(pair ^ mixed(seed_)) % spines_);
}

}  // namespace ringspan::bench
