#pragma once

// The options of `ringspan calibrate`, and a command line turned into what the library wants.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/option_parser.h"
#include "validation/logs/log_format.h"

namespace ringspan {

struct CalibrateRequest {
  std::vector<std::string> files;
  LogOptions logs;
  std::optional<std::string> profile;  // the base: name or path
  bool keep_going = false;
  std::size_t rows_per_constant = 3;
  std::uint64_t seed = 0;
  std::string output;  // never empty
};

std::span<const OptionSpec> calibrate_option_specs();

// Throws InputError.
CalibrateRequest read_calibrate_request(std::span<const std::string> arguments);

}  // namespace ringspan
