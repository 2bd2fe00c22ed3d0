#pragma once

// `ringspan run`: its options as text, turned into what the library wants.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/report/report_writers.h"
#include "app/scenario/job_spec.h"
#include "app/scenario/scenario.h"

namespace ringspan {

enum class OutputFormat { Table, Csv, Json, Markdown };

struct RunRequest {
  std::string system;
  std::vector<std::pair<std::string, std::string>> overrides;  // --set
  std::optional<std::string> profile;                          // name or path
  RunScenario scenario;
  std::vector<JobSpec> jobs;  // --concurrent; empty: one collective
  SizeRange sizes;
  OutputFormat format = OutputFormat::Table;
  std::string output;                       // empty: standard output
  std::optional<std::string> trace;         // a file
  std::optional<std::string> tuner_config;  // a file
  std::optional<std::string> plan;          // a file
  std::vector<std::string> notes;           // for standard error
};

std::span<const OptionSpec> run_option_specs();

// Throws InputError.
RunRequest read_run_request(std::span<const std::string> arguments);

// The word of --format: table, csv or json. Throws InputError.
OutputFormat read_output_format(const std::string& text);
// The same, or md.
OutputFormat read_page_format(const std::string& text);

// Of --seed. Throws InputError.
std::uint64_t read_seed(const std::string& text);

// The file of -o; empty: standard output. Throws InputError.
std::string read_output_path(const ParsedOptions& options);

// "key=value" of --set. Throws InputError.
std::pair<std::string, std::string> read_override(const std::string& text);

}  // namespace ringspan
