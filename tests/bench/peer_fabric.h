#pragma once

// The bench's fabrics as the engine sees them: links, and a path of link indices per pair of hosts.
//   star     one non-blocking crossbar: each host's link up and down
//   fattree  two levels; a packet to another leaf crosses the spine that the route rule names:
//            destination modulo the number of spines (D-mod-k, Zahavi 2012), or a hash of the pair

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/network_model.h"
#include "tests/bench/peer_options.h"

namespace ringspan::bench {

class PeerFabric {
 public:
  explicit PeerFabric(const PeerOptions& options);

  std::span<const NetworkLink> links() const { return links_; }

  using Path = std::array<std::uint32_t, 4>;
  // Writes the path and returns its length, 2 or 4. Source and destination must differ.
  std::uint32_t route(std::uint32_t source, std::uint32_t destination, Path& path) const {
    path[0] = 2 * source;
    const std::uint32_t leaf = source / per_leaf_;
    const std::uint32_t other = destination / per_leaf_;
    if (leaf == other) {
      path[1] = 2 * destination + 1;
      return 2;
    }
    const std::uint32_t spine = spine_of(source, destination);
    path[1] = first_leaf_link_ + 2 * (leaf * spines_ + spine);
    path[2] = first_leaf_link_ + 2 * (other * spines_ + spine) + 1;
    path[3] = 2 * destination + 1;
    return 4;
  }

 private:
  std::uint32_t spine_of(std::uint32_t source, std::uint32_t destination) const;

  std::vector<NetworkLink> links_;
  std::uint32_t per_leaf_;  // a star is one leaf
  std::uint32_t spines_;
  std::uint32_t first_leaf_link_;
  bool hashed_;
  std::uint64_t seed_;
};

// SplitMix64 (Steele, Lea, Flood 2014): the same draws with every compiler.
std::uint64_t mixed(std::uint64_t value);

}  // namespace ringspan::bench
