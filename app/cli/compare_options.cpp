#include "app/cli/compare_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

constexpr int kMostThreads = 1024;

constexpr std::array kOptions = {
    OptionSpec{"--threads", "N",
               "Runs that are under way at once; each holds a run in memory. The results are the\n"
               "same for any number. Default: one for each core. Example: --threads 4"},
    OptionSpec{"--format", "F",
               "table (for people), csv (a line per design, workload and size), json (everything)\n"
               "or md (the tables in Markdown). Default: table. Example: --format csv"},
    OptionSpec{"--output", "FILE",
               "Writes the results there, whole or not at all, and replaces what was there.\n"
               "Default: standard output. Example: -o comparison.md",
               'o'}};

}  // namespace

std::span<const OptionSpec> compare_option_specs() { return kOptions; }

int read_threads(const ParsedOptions& options, std::string_view option) {
  const std::optional<std::string> text = options.value(option);
  if (!text) {
    return static_cast<int>(
        std::clamp<unsigned>(std::thread::hardware_concurrency(), 1, kMostThreads));
  }
  int threads = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, threads);
  if (error != std::errc{} || rest != end || threads < 1 || threads > kMostThreads) {
    throw InputError(fmt::format("{}: '{}' is not possible", option, *text),
                     fmt::format("give a whole number from 1 to {}", kMostThreads));
  }
  return threads;
}

std::string read_study_path(const ParsedOptions& options, std::string_view command) {
  if (options.positionals.size() == 1) return options.positionals.front();
  if (options.positionals.empty()) {
    throw InputError("no study is given",
                     fmt::format("for example: ringspan {} study.toml", command));
  }
  throw InputError("unexpected argument '" + options.positionals[1] + "'",
                   fmt::format("'ringspan {}' takes one study", command));
}

CompareRequest read_compare_request(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("compare", kOptions, arguments);
  CompareRequest request;
  request.study = read_study_path(options, "compare");
  request.threads = read_threads(options, "--threads");
  if (const auto format = options.value("--format")) request.format = read_page_format(*format);
  request.output = read_output_path(options);
  return request;
}

}  // namespace ringspan
