#include "app/cli/calibrate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "app/cli/run_options.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

constexpr std::array kOptions = {
    OptionSpec{"--output", "PROFILE",
               "Writes the profile there, whole or not at all, and replaces what was there.\n"
               "Required. Example: -o my-machine.toml",
               'o'},
    OptionSpec{"--system", "S",
               "The system of rows whose file names none, as nccl-tests' logs do: a catalogue\n"
               "name or a path. Default: what the file says. Example: --system dgx-h100"},
    OptionSpec{"--collective", "C",
               "The collective of an nccl-tests log that does not show it (old releases).\n"
               "Default: what the log says. Example: --collective all_gather"},
    OptionSpec{"--profile", "BASE",
               "Where constants start, and where they stay if the rows say nothing of them: a\n"
               "name ('ringspan list profiles') or a file. Default: the built-in one of the\n"
               "GPUs' generation. Example: --profile ./my-machine.toml"},
    OptionSpec{
        "--keep-going", "",
        "Fits to the rows that can be used although others cannot; the exit status is 2 all\n"
        "the same. Default: off. Example: --keep-going"},
    OptionSpec{"--rows-per-constant", "N",
               "How many different rows one constant takes: of N rows one constant at most is\n"
               "fitted, of 10 N rows ten. Fewer follow the rows closer, more say less of other\n"
               "runs. Default: 3. Example: --rows-per-constant 5"},
    OptionSpec{
        "--seed", "S",
        "Which cases are left out together in the cross-validation. The profile's constants\n"
        "do not depend on it. Default: 0. Example: --seed 7"}};

std::vector<std::string> read_files(const ParsedOptions& options) {
  if (options.positionals.empty()) {
    throw InputError("no file is given",
                     "for example: ringspan calibrate --system dgx-h100 all_reduce.log -o "
                     "my-machine.toml");
  }
  if (std::count(options.positionals.begin(), options.positionals.end(), "-") > 1) {
    throw InputError("- is given twice", "standard input can be read once");
  }
  return options.positionals;
}

std::size_t read_rows_per_constant(const std::string& text) {
  std::uint32_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || rest != end || count == 0) {
    throw InputError(fmt::format("--rows-per-constant: '{}' is not possible", text),
                     "give a whole number from 1 on, for example 3");
  }
  return count;
}

}  // namespace

std::span<const OptionSpec> calibrate_option_specs() { return kOptions; }

CalibrateRequest read_calibrate_request(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("calibrate", kOptions, arguments);
  CalibrateRequest request;
  request.files = read_files(options);
  request.output = read_output_path(options);
  if (request.output.empty()) {
    throw InputError("-o is missing", "say where the profile shall go: -o my-machine.toml");
  }
  request.logs.system = options.value("--system").value_or("");
  if (const auto name = options.value("--collective")) {
    request.logs.collective = collective_from_name(*name);
  }
  request.profile = options.value("--profile");
  request.keep_going = options.has("--keep-going");
  if (const auto count = options.value("--rows-per-constant")) {
    request.rows_per_constant = read_rows_per_constant(*count);
  }
  if (const auto seed = options.value("--seed")) request.seed = read_seed(*seed);
  return request;
}

}  // namespace ringspan
