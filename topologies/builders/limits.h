#pragma once

// What one server and one cluster may hold. Far above any real one; it keeps a slip of the finger
// (count = 1000000000) from filling the memory.

#include <cstdint>

#include "sim/base/units.h"

namespace ringspan {

inline constexpr std::int64_t kMaxDevices = 65'536;
inline constexpr std::int64_t kMaxLinks = 1'000'000;  // cables, both directions counted as one
inline constexpr std::int64_t kMaxParallelLinks = 1'024;
inline constexpr std::int64_t kMaxServers = 1'048'576;
inline constexpr std::int64_t kMaxPorts = 8'388'608;  // NICs of the whole cluster

// One edge. Outside these bounds a unit is mistaken, and times would leave 64 bits of picoseconds
// (8 GiB at 1 MB/s takes 8.6e15 ps; the type ends at 9.2e18).
inline constexpr Bandwidth kMinLinkRate{8'000'000};              // 1 MB/s
inline constexpr Bandwidth kMaxLinkRate{1'000'000'000'000'000};  // 125 TB/s
inline constexpr Duration kMaxLinkLatency = microseconds(1'000'000);

}  // namespace ringspan
