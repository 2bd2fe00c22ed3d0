#include "topologies/builders/name_pattern.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "topologies/builders/limits.h"

namespace ringspan {

namespace {

constexpr std::string_view kPatternHint =
    "a name (\"gpu0\"), a range (\"gpu[0-3]\", \"gpu[0,4-5]\") or every number (\"gpu*\")";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_' ||
         c == '.';
}

[[noreturn]] void fail_pattern(std::string_view pattern) {
  throw InputError(fmt::format("'{}' is not a device name or pattern", pattern),
                   std::string(kPatternHint));
}

// A number without sign or blank, below the device limit; -1 for anything else.
std::int64_t parse_index(std::string_view text) {
  std::int64_t value = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool whole = error == std::errc() && stop == end && is_digit(text.front());
  return whole && value < kMaxDevices ? value : -1;
}

// "4" or "0-3" -> first and last; first > last when malformed.
std::pair<std::int64_t, std::int64_t> parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::string_view low = text.substr(0, dash);
  const std::string_view high = dash == std::string_view::npos ? low : text.substr(dash + 1);
  if (low.empty() || high.empty()) return {1, 0};
  const std::int64_t first = parse_index(low);
  const std::int64_t last = parse_index(high);
  if (first < 0 || last < 0) return {1, 0};
  return {first, last};
}

}  // namespace

void DeviceNames::add(std::string name, NodeId id) {
  RINGSPAN_CHECK(id.index() == names_.size(), "devices are named in the order they are added");
  if (!ids_.emplace(name, id).second) {
    throw InputError(fmt::format("there are two devices called '{}'", name),
                     "give every device its own name");
  }
  names_.push_back(std::move(name));
}

NodeId DeviceNames::at(const std::string& name) const {
  if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
  // A thousand GPUs make no hint: the nearest name, or how names are made.
  const std::string near = nearest_name(name, names_);
  throw InputError(
      fmt::format("there is no device '{}'", name),
      near.empty() ? std::string(kPatternHint) : fmt::format("did you mean '{}'?", near));
}

std::vector<NodeId> DeviceNames::numbered(std::string_view stem) const {
  std::vector<NodeId> found;
  for (auto at = ids_.lower_bound(stem); at != ids_.end(); ++at) {
    const std::string_view name = at->first;
    if (name.substr(0, stem.size()) != stem) break;
    const std::string_view rest = name.substr(stem.size());
    if (!rest.empty() && std::all_of(rest.begin(), rest.end(), is_digit)) {
      found.push_back(at->second);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<NodeId> DeviceNames::ranges(std::string_view stem, std::string_view list) const {
  std::vector<NodeId> found;
  while (true) {
    const std::size_t comma = list.find(',');
    const auto [first, last] = parse_range(list.substr(0, comma));
    if (first > last || static_cast<std::int64_t>(found.size()) > kMaxDevices) return {};
    for (std::int64_t i = first; i <= last; ++i) found.push_back(at(fmt::format("{}{}", stem, i)));
    if (comma == std::string_view::npos) return found;
    list.remove_prefix(comma + 1);
  }
}

std::vector<NodeId> DeviceNames::expand(std::string_view pattern) const {
  const std::size_t special = pattern.find_first_of("*[");
  const std::string_view stem = pattern.substr(0, special);
  if (stem.empty() || !std::all_of(stem.begin(), stem.end(), is_name_character)) {
    fail_pattern(pattern);
  }
  if (special == std::string_view::npos) return {at(std::string(pattern))};
  std::vector<NodeId> found;
  if (pattern.substr(special) == "*") {
    found = numbered(stem);
    if (found.empty()) {
      const std::string near = nearest_name(stem, names_);
      throw InputError(
          fmt::format("no device is called '{}' and a number", stem),
          near.empty() ? std::string(kPatternHint) : fmt::format("did you mean '{}'?", near));
    }
  } else if (pattern[special] == '[' && pattern.back() == ']') {
    found = ranges(stem, pattern.substr(special + 1, pattern.size() - special - 2));
  }
  if (found.empty()) fail_pattern(pattern);
  return found;
}

void check_device_name(std::string_view name) {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character)) {
    throw InputError(fmt::format("'{}' cannot be a device name", name),
                     "use letters, digits, '-', '_' and '.'");
  }
}

}  // namespace ringspan
