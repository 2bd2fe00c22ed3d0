#pragma once

// The hash by which switches tell flows apart: splitmix64's finaliser over seed, place, ends and
// channel, one after the other. Every bit of each changes every bit of the result with probability
// one half, so that what one switch picks says nothing about what the next one picks: real ASICs
// need a seed per switch for that, here the place is part of what is hashed.

#include <cstdint>

#include "sim/base/random.h"
#include "topologies/routing/path_choice.h"

namespace ringspan {

// `place`: the switch, or any other number that tells draws apart.
constexpr std::uint64_t flow_hash(std::uint64_t seed, std::uint64_t place, const FlowKey& flow) {
  std::uint64_t state = seed;
  state = splitmix64(state) ^ place;
  state = splitmix64(state) ^ (std::uint64_t{flow.source} << 32U | flow.destination);
  state = splitmix64(state) ^ flow.channel;
  return splitmix64(state);
}

// The hash's upper half as a number below `bound` (D. Lemire, "Fast random integer generation in an
// interval", ACM TOMACS 29(1), 2019). How often two results are drawn differs by less than
// bound / 2^32.
constexpr std::uint32_t hash_below(std::uint64_t hash, std::uint32_t bound) {
  return static_cast<std::uint32_t>((hash >> 32U) * bound >> 32U);
}

// Also a number below `bound`, such that of `bound` + 1 numbers only those hashes change that draw
// the new one (jump consistent hash; Lamping and Veach, arXiv 1406.2294): fewer ways put more flows
// on each that is left, whatever the draws.
constexpr std::uint32_t consistent_below(std::uint64_t hash, std::uint32_t bound) {
  constexpr double kDraws = std::uint64_t{1} << 31U;
  std::uint64_t state = hash, drawn = 0, next = 0;
  while (next < bound) {
    drawn = next;
    const auto draw = static_cast<double>((splitmix64(state) >> 33U) + 1);
    next = static_cast<std::uint64_t>(static_cast<double>(drawn + 1) * (kDraws / draw));
  }
  return static_cast<std::uint32_t>(drawn);
}

}  // namespace ringspan
