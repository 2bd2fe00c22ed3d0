#pragma once

// Quantities that only price books have: "199000 USD", "2.95 USD/h", "10.2 kW", "4 years". Bare
// numbers, other currencies and unknown units are refused at the key. Throws InputError.

#include <optional>
#include <string>
#include <string_view>

#include "sim/config/config_node.h"

namespace ringspan {

// A number above or equal 0 and the unit behind it, which must be one of `units`; the factor of
// that unit is multiplied in. `example` is for the hint.
struct QuantityUnit {
  std::string name;
  double factor = 1;
};
double read_quantity(const ConfigNode& table, std::string_view key,
                     const std::vector<QuantityUnit>& units, std::string_view example);

// Absent keys give nothing.
std::optional<double> find_money(const ConfigNode& table, std::string_view key,
                                 const std::string& currency, std::string_view per,
                                 std::string_view example);
std::optional<double> find_watts(const ConfigNode& table, std::string_view key);

}  // namespace ringspan
