#pragma once

// The options of `ringspan validate`, and a command line turned into what the library wants.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/cli/run_options.h"
#include "validation/comparison/summary.h"
#include "validation/logs/log_format.h"

namespace ringspan {

struct ValidateRequest {
  std::vector<std::string> files;
  LogOptions logs;
  std::optional<std::string> profile;  // name or path
  std::optional<Baseline> baseline;
  Tolerance tolerance;
  bool keep_going = false;
  OutputFormat format = OutputFormat::Table;
  std::string output;  // empty: standard output
};

std::span<const OptionSpec> validate_option_specs();

// Throws InputError.
ValidateRequest read_validate_request(std::span<const std::string> arguments);

}  // namespace ringspan
