#include "app/cli/validate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

constexpr std::array kOptions = {
    OptionSpec{"--system", "S",
               "The system of rows whose file names none, as nccl-tests' logs do: a catalogue\n"
               "name or a path. Default: what the file says. Example: --system dgx-h100"},
    OptionSpec{"--collective", "C",
               "The collective of an nccl-tests log that does not show it (old releases).\n"
               "Default: what the log says. Example: --collective all_gather"},
    OptionSpec{"--profile", "P",
               "Cost constants: a name ('ringspan list profiles') or a file. Default: the\n"
               "built-in one of each GPU's generation. Example: --profile ./my-profile.toml"},
    OptionSpec{"--baseline", "B",
               "Another predictor's errors beside ours: nccl-model, the formula by which NCCL\n"
               "picks, or alpha-beta, the textbook's ring of steps and bytes. Default: none.\n"
               "Example: --baseline nccl-model"},
    OptionSpec{"--max-median", "X",
               "Most that the median |error| over rows and that over cases may be, a ratio; else\n"
               "the exit status is 3. Default: anything. Example: --max-median 0.1"},
    OptionSpec{"--max-p90", "X",
               "The same for nine tenths of the errors. Default: anything.\n"
               "Example: --max-p90 0.35"},
    OptionSpec{"--keep-going", "",
               "Rows that can be read are evaluated although others cannot; the exit status is 2\n"
               "all the same. Default: off. Example: --keep-going"},
    OptionSpec{"--format", "F",
               "table (errors per system and collective, the worst rows), csv (every measured row\n"
               "and its prediction), json (both) or md (a page of tables in Markdown).\n"
               "Default: table. Example: --format csv"},
    OptionSpec{"--output", "FILE",
               "Writes the results there, whole or not at all, and replaces what was there.\n"
               "Default: standard output. Example: -o errors.csv",
               'o'}};

double read_ratio(std::string_view option, const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || !std::isfinite(value) || value < 0) {
    throw InputError(fmt::format("{}: '{}' is not possible", option, text),
                     fmt::format("give a ratio without unit, such as {} 0.15 for 15 %", option));
  }
  return value;
}

std::vector<std::string> read_files(const ParsedOptions& options) {
  if (options.positionals.empty()) {
    throw InputError("no file is given",
                     "for example: ringspan validate measured.csv, or: ringspan validate "
                     "--system dgx-h100 nccl-tests.log");
  }
  if (std::count(options.positionals.begin(), options.positionals.end(), "-") > 1) {
    throw InputError("- is given twice", "standard input can be read once");
  }
  return options.positionals;
}

}  // namespace

std::span<const OptionSpec> validate_option_specs() { return kOptions; }

ValidateRequest read_validate_request(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("validate", kOptions, arguments);
  ValidateRequest request;
  request.files = read_files(options);
  request.logs.system = options.value("--system").value_or("");
  if (const auto name = options.value("--collective")) {
    request.logs.collective = collective_from_name(*name);
  }
  request.profile = options.value("--profile");
  if (const auto name = options.value("--baseline")) {
    const Registry<BaselineFactory> baselines = builtin_baselines();
    const auto& entry = baselines.at(*name);
    request.baseline = Baseline{entry.name, entry.factory};
  }
  if (const auto text = options.value("--max-median")) {
    request.tolerance.median = read_ratio("--max-median", *text);
  }
  if (const auto text = options.value("--max-p90")) {
    request.tolerance.p90 = read_ratio("--max-p90", *text);
  }
  request.keep_going = options.has("--keep-going");
  if (const auto format = options.value("--format")) request.format = read_page_format(*format);
  request.output = read_output_path(options);
  return request;
}

}  // namespace ringspan
