#pragma once

// The options of the peer bench: those of peer/simgrid_driver.cpp, and a few of our own.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringspan::bench {

struct SlowLink {
  std::uint32_t host = 0;  // both directions of this host's link
  double factor = 1;       // of its rate
};

struct PeerOptions {
  std::string topo = "star";
  std::string coll = "ring-allreduce";
  std::string network = "fluid";
  std::string routes = "modulo";
  std::uint32_t hosts = 8;
  std::uint32_t hosts_per_leaf = 16;
  std::uint32_t spines = 4;
  std::int64_t size = std::int64_t{64} << 20;  // bytes per rank
  std::uint32_t sizes = 1;                     // alltoallv: distinct sizes per rank
  std::uint64_t seed = 1;
  double bandwidth = 50e9;  // bytes per second and direction, every link
  double latency = 1e-6;    // seconds, every link
  std::optional<SlowLink> slow_link;
  // The queueing network's: bytes per segment, and segments a link's buffer holds (0: any number).
  std::optional<std::int64_t> segment;
  std::optional<std::uint32_t> credits;
};

// Reads --name=value arguments; throws InputError for anything it cannot use.
PeerOptions parse_peer_options(const std::vector<std::string>& arguments);

}  // namespace ringspan::bench
