#include "app/cli/calibrate_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
  if (const auto seed = options.value("--seed")) request.seed = read_seed(*seed);
  return request;
}

}  // namespace ringspan
