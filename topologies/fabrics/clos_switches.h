#pragma once

// Names of the switches of a Clos fabric: "leaf3", "spine1", "core0", numbered through the whole
// plane (spine s of block b is number b x spines + s), with "plane1." before them where there are
// several planes; "switch0" in a fabric of one switch.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabrics/clos_shape.h"

namespace ringspan {

enum class ClosLevel { Leaf, Spine, Core };

struct ClosSwitch {
  ClosLevel level = ClosLevel::Leaf;
  std::uint32_t plane = 0;
  std::uint32_t index = 0;  // in its level and plane
};

// "leaf", "spine", "core"; "switch" for the one of a single tier.
std::string_view clos_level_name(const ClosShape& shape, ClosLevel level);
std::uint32_t clos_level_size(const ClosShape& shape, ClosLevel level);  // of a plane
std::string clos_switch_name(const ClosShape& shape, const ClosSwitch& which);
std::optional<ClosSwitch> find_clos_switch(const ClosShape& shape, std::string_view name);
// For a name that is not there: the nearest, or the ranges there are.
std::string clos_switch_hint(const ClosShape& shape, std::string_view name);

}  // namespace ringspan
