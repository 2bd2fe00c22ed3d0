#pragma once

// Values as TOML text that the readers of sim/config take back without loss.

#include <span>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace ringspan {

std::string toml_string(std::string_view text);
std::string toml_strings(std::span<const std::string> texts);
std::string toml_key(std::string_view key);    // in quotes where it must be
std::string toml_duration(Duration duration);  // "4.41 us"
std::string toml_bandwidth(Bandwidth rate);    // "7.4 GB/s"
std::string toml_bytes(Bytes size);            // "512 MiB", or bytes where that is not whole

}  // namespace ringspan
