#include "topologies/fabrics/clos_switches.h"

#include <array>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

constexpr std::array kLevels = {ClosLevel::Leaf, ClosLevel::Spine, ClosLevel::Core};

// "spine12" -> 12 for the stem "spine".
std::optional<std::uint32_t> number_after(std::string_view stem, std::string_view name) {
  if (!name.starts_with(stem)) return std::nullopt;
  name.remove_prefix(stem.size());
  if (name.size() > 1 && name.front() == '0') return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string_view clos_level_name(const ClosShape& shape, ClosLevel level) {
  switch (level) {
    case ClosLevel::Leaf:
      return shape.tiers == 1 && !shape.rails_apart ? "switch" : "leaf";
    case ClosLevel::Spine:
      return "spine";
    case ClosLevel::Core:
      return "core";
  }
  return "";
}

std::uint32_t clos_level_size(const ClosShape& shape, ClosLevel level) {
  if (level == ClosLevel::Leaf) return shape.leaves;
  return level == ClosLevel::Spine ? shape.spine_count() : shape.cores;
}

std::string clos_switch_name(const ClosShape& shape, const ClosSwitch& which) {
  const std::string name = fmt::format("{}{}", clos_level_name(shape, which.level), which.index);
  return shape.planes == 1 ? name : fmt::format("plane{}.{}", which.plane, name);
}

std::optional<ClosSwitch> find_clos_switch(const ClosShape& shape, std::string_view name) {
  std::uint32_t plane = 0;
  if (shape.planes > 1) {
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto number = number_after("plane", name.substr(0, dot));
    if (!number || *number >= shape.planes) return std::nullopt;
    plane = *number;
    name.remove_prefix(dot + 1);
  }
  for (const ClosLevel level : kLevels) {
    const auto number = number_after(clos_level_name(shape, level), name);
    if (number && *number < clos_level_size(shape, level)) return ClosSwitch{level, plane, *number};
  }
  return std::nullopt;
}

std::string clos_switch_hint(const ClosShape& shape, std::string_view name) {
  std::vector<std::string> ends;  // the first and the last of a level: near enough for a slip
  std::vector<std::string> ranges;
  for (const ClosLevel level : kLevels) {
    const std::uint32_t size = clos_level_size(shape, level);
    if (size == 0) continue;
    const std::string first = clos_switch_name(shape, {level, 0, 0});
    const std::string last = clos_switch_name(shape, {level, shape.planes - 1, size - 1});
    ends.push_back(first);
    ends.push_back(last);
    ranges.push_back(first == last ? first : fmt::format("{} to {}", first, last));
  }
  const std::string there = fmt::format("there are {}", fmt::join(ranges, ", "));
  const std::string near = nearest_name(name, ends);
  return near.empty() ? there : fmt::format("did you mean '{}'? {}", near, there);
}

}  // namespace ringspan
