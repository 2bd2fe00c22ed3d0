#pragma once

// Internal to sim/config: the fence around toml++.

#include <optional>
#include <string>
#include <string_view>

#include "sim/config/config_value.h"

namespace ringspan {

// The root table of a TOML text. `name` stands for the file in messages. Throws InputError.
ConfigValue read_toml(std::string_view text, const std::string& name);

// One value as it may stand after "key = "; nullopt when `text` is none, or is a date.
std::optional<ConfigValue> read_toml_value(std::string_view text);

}  // namespace ringspan
