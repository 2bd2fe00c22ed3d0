#pragma once

// Quantities as types. Time is int64 picoseconds, sizes are int64 bytes, rates are int64 BITS per
// second, so that 400 Gbit/s and 900 GB/s are exact. A rate is always per direction.
// Rounding: transfer_time() rounds up, so that nothing ever finishes early.

#include <chrono>
#include <compare>
#include <cstdint>
#include <ratio>

namespace ringspan {

using Duration = std::chrono::duration<std::int64_t, std::pico>;

// The simulated clock. It never reads the machine's time.
struct SimClock {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<SimClock>;
  static constexpr bool is_steady = true;
};

using Time = SimClock::time_point;

inline constexpr Time kTimeZero{};
inline constexpr Time kNever = Time::max();

constexpr Duration picoseconds(std::int64_t count) { return Duration{count}; }
constexpr Duration nanoseconds(std::int64_t count) { return Duration{count * 1'000}; }
constexpr Duration microseconds(std::int64_t count) { return Duration{count * 1'000'000}; }

constexpr double to_microseconds(Duration d) { return static_cast<double>(d.count()) / 1e6; }
constexpr double to_seconds(Duration d) { return static_cast<double>(d.count()) / 1e12; }

// Rounds to the nearest picosecond; saturates at the largest Duration.
Duration duration_from_seconds(double seconds);
Duration duration_from_microseconds(double microseconds);

struct Bytes {
  std::int64_t count = 0;
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes other) {
    count += other.count;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes other) {
    count -= other.count;
    return *this;
  }
};

constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }
constexpr Bytes operator*(Bytes a, std::int64_t n) { return {a.count * n}; }

// A rate in one direction.
struct Bandwidth {
  std::int64_t bits_per_second = 0;
  constexpr auto operator<=>(const Bandwidth&) const = default;
};

constexpr Bandwidth operator+(Bandwidth a, Bandwidth b) {
  return {a.bits_per_second + b.bits_per_second};
}
constexpr Bandwidth operator*(Bandwidth a, std::int64_t n) { return {a.bits_per_second * n}; }

// Scales by a ratio (an efficiency, a count of lanes); rounds to the nearest bit/s.
Bandwidth scaled(Bandwidth rate, double ratio);

// GB/s, decimal: 10^9 bytes per second.
constexpr double to_gbytes_per_second(Bandwidth rate) {
  return static_cast<double>(rate.bits_per_second) / 8e9;
}
Bandwidth bandwidth_from_gbytes_per_second(double gbytes_per_second);

// The unit of the fluid solver: bytes per picosecond.
constexpr double to_bytes_per_picosecond(Bandwidth rate) {
  return static_cast<double>(rate.bits_per_second) / 8e12;
}

// Time to push `size` through `rate`, rounded up to a picosecond, computed in 128 bits.
// Requires rate > 0 and size >= 0; saturates at the largest Duration.
Duration transfer_time(Bytes size, Bandwidth rate);

}  // namespace ringspan
