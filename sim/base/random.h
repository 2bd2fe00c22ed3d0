#pragma once

// Random numbers that are the same on every compiler: splitmix64 spreads a seed, xoshiro256**
// draws (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4),
// 2021). The standard library's distributions differ between libraries, so ours are here.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ringspan {

// One step of splitmix64: advances `state` and returns its next number.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

class Random {
 public:
  using State = std::array<std::uint64_t, 4>;

  constexpr explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = splitmix64(seed);
  }
  // Not all words may be 0.
  constexpr explicit Random(const State& state) : state_(state) {}

  constexpr std::uint64_t next() {
    const std::uint64_t drawn = rotated(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotated(state_[3], 45);
    return drawn;
  }

  // Uniform in 0..bound-1, without bias; bound > 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    // The numbers under 2^64 mod bound would make the small results likelier.
    const std::uint64_t surplus = (0 - bound) % bound;
    std::uint64_t drawn = next();
    while (drawn < surplus) drawn = next();
    return drawn % bound;
  }

  // Uniform in [0, 1): multiples of 2^-53.
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  // Every order is equally likely (Fisher-Yates).
  template <typename Container>
  constexpr void shuffle(Container& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  static constexpr std::uint64_t rotated(std::uint64_t word, int bits) {
    return (word << bits) | (word >> (64 - bits));
  }

  State state_{};
};

}  // namespace ringspan
