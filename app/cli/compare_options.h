#pragma once

// The options of `ringspan compare`.

#include <span>
#include <string>
#include <string_view>

#include "app/cli/option_parser.h"
#include "app/cli/run_options.h"

namespace ringspan {

struct CompareRequest {
  std::string study;  // a path, or "-"
  int threads = 1;
  OutputFormat format = OutputFormat::Table;
  std::string output;  // empty: standard output
};

std::span<const OptionSpec> compare_option_specs();

// Throws InputError.
CompareRequest read_compare_request(std::span<const std::string> arguments);

// Of --threads and --jobs; absent: one for each core. Throws InputError.
int read_threads(const ParsedOptions& options, std::string_view option);

// The one study of a command. Throws InputError.
std::string read_study_path(const ParsedOptions& options, std::string_view command);

}  // namespace ringspan
