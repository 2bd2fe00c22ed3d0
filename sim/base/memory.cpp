#include "sim/base/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace ringspan {

namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::max();

// The number of KiB behind `key` in a file of "Key:   123 kB" lines; kUnknown if it is not there.
std::int64_t kib_line(const char* file, const std::string& key) {
  std::ifstream in(file);
  std::string word;
  while (in >> word) {
    std::int64_t kib = 0;
    if (word == key && in >> kib) return kib * 1024;
  }
  return kUnknown;
}

std::int64_t number_in(const char* file) {
  std::ifstream in(file);
  std::int64_t value = 0;
  return in >> value ? value : kUnknown;  // "max" is not a number: no limit
}

std::int64_t room_in_control_group() {
  const std::int64_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::int64_t used = number_in("/sys/fs/cgroup/memory.current");
  return limit == kUnknown || used == kUnknown ? kUnknown : std::max<std::int64_t>(0, limit - used);
}

std::int64_t room_in_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const std::int64_t used = kib_line("/proc/self/status", "VmSize:");
  if (used == kUnknown) return kUnknown;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - used);
}

}  // namespace

std::int64_t available_memory_bytes() {
  return std::min({kib_line("/proc/meminfo", "MemAvailable:"), room_in_control_group(),
                   room_in_address_space()});
}

}  // namespace ringspan
