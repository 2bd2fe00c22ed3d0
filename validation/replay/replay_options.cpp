#include "validation/replay/replay_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/cli/option_parser.h"
#include "app/scenario/scenario.h"
#include "models/collectives/algorithm.h"
#include "models/collectives/datatype.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"
#include "sim/base/version.h"
#include "validation/plan/plan_reading.h"
#include "validation/replay/calibration_plan.h"
#include "validation/replay/replay_writers.h"

namespace ringspan {

namespace {

constexpr std::array kOptions = {
    OptionSpec{"-b", "MIN", "Smallest size, as for ringspan run. Default: 8"},
    OptionSpec{"-e", "MAX", "Largest size. Default: 64M, or MIN where that is larger"},
    OptionSpec{"-f", "FACTOR", "Each size is the last one times this. Default: 2"},
    OptionSpec{"-n", "N", "Calls that a time is the mean of. Default: 20"},
    OptionSpec{"-w", "N", "Calls before them. Default: 1"},
    OptionSpec{"--plan", "FILE",
               "Measures a plan (ringspan run --emit-plan, docs/plans.md) instead of COLLECTIVE"},
    OptionSpec{"--calibration", "",
               "Measures what ringspan calibrate can use: all collectives, sizes 8 bytes to -e"},
    OptionSpec{"--budget", "TIME",
               "Ends after this time with what is done. Default: none; --calibration: 120s"},
    OptionSpec{"--repeats", "N",
               "How often the list is measured; a time is the median. Default: 1, or the plan's"},
    OptionSpec{"--timing", "HOW",
               "back-to-back (nccl-tests' way: one clock around all calls) or isolated (a barrier\n"
               "before each call, and what the slowest rank took). Default: back-to-back"},
    OptionSpec{"--dtype", "TYPE", "Data type. Default: float"},
    OptionSpec{"--op", "OP", "Reduction: sum prod min max avg. Default: sum"},
    OptionSpec{"--root", "R", "Root, a rank from 0. Default: 0"},
    OptionSpec{"--algo", "A", "Forces an algorithm. Default: the library's choice"},
    OptionSpec{"--proto", "P",
               "Forces a protocol, where there are any. Default: the library's choice"},
    OptionSpec{"--no-check", "", "Does not compare results with the reference"},
    OptionSpec{"--no-in-place", "", "Measures out of place only"},
    OptionSpec{"--system", "S",
               "The machine, for the results: a name of ringspan's catalogue, or a system file"},
    OptionSpec{"--case", "NAME", "The series' name in a measured table. Default: none"},
    OptionSpec{"--timeout", "TIME",
               "Ends the run where nothing ends for so long: a rank is lost. Default: 300s"},
    OptionSpec{"--format", "FORMAT",
               "table (nccl-tests' columns), csv (a measured table), json (nccl-tests' -J).\n"
               "Default: table"},
    OptionSpec{"--output", "FILE", "Results go to FILE. Default: standard output", 'o'},
    OptionSpec{"-g", "N", "How many GPUs take part: the first N. Default: all that can be used"},
};

[[noreturn]] void refuse(std::string_view option, const std::string& value, std::string hint) {
  throw InputError(fmt::format("{}: '{}' is not possible", option, value), std::move(hint));
}

template <typename Read>
auto reading(std::string_view option, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw InputError(fmt::format("{}: {}", option, problem.message), problem.hint);
  }
}

int read_count(const ParsedOptions& options, std::string_view option, int fallback, int least) {
  const std::optional<std::string> text = options.value(option);
  if (!text) return fallback;
  int value = 0;
  const char* const end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc{} || rest != end || value < least || value > kMostPlannedCalls) {
    refuse(option, *text,
           fmt::format("give a whole number from {} to {}", least, kMostPlannedCalls));
  }
  return value;
}

std::optional<std::chrono::duration<double>> read_time(const ParsedOptions& options,
                                                       std::string_view option) {
  const std::optional<std::string> text = options.value(option);
  if (!text) return std::nullopt;
  const Duration time = reading(option, [&] { return parse_duration(*text); });
  if (time <= Duration{}) refuse(option, *text, "give a time with its unit, such as 90s");
  return std::chrono::duration<double>(to_seconds(time));
}

Bytes read_size(const ParsedOptions& options, std::string_view option, Bytes fallback) {
  const std::optional<std::string> text = options.value(option);
  if (!text) return fallback;
  return reading(option, [&] { return parse_size(*text).size; });
}

constexpr Bytes kLeast{8};
constexpr Bytes kMost{std::int64_t{64} << 20};

std::vector<Bytes> read_sizes(const ParsedOptions& options) {
  const Bytes least = read_size(options, "-b", kLeast);
  const Bytes most = read_size(options, "-e", std::max(kMost, least));
  if (least > most) {
    throw InputError("the smallest size, -b, is above the largest, -e", "give -b up to -e");
  }
  const std::string text = options.value("-f").value_or("2");
  double factor = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, factor);
  if (error != std::errc{} || rest != end || !std::isfinite(factor) || !(factor > 1)) {
    refuse("-f", text, "give a number above 1, such as -f 2");
  }
  return size_steps(least, most, factor);
}

Plan sizes_plan(const ParsedOptions& options, int ranks) {
  if (options.positionals.empty()) {
    throw InputError("no collective is given", "give one, or --plan FILE, or --calibration");
  }
  if (options.positionals.size() > 1) {
    throw InputError(fmt::format("unexpected argument '{}'", options.positionals[1]),
                     "one collective at a time; --plan FILE measures lists");
  }
  Plan plan;
  plan.ranks = ranks;
  PlannedCollective item;
  item.collective = collective_from_name(options.positionals[0]);
  item.dtype = options.value("--dtype").value_or(item.dtype);
  reading("--dtype", [&] { return dtype_size(item.dtype); });
  if (collective_reduces(item.collective)) item.op = options.value("--op").value_or(item.op);
  const std::vector<std::string> ops = reduction_names();
  if (std::find(ops.begin(), ops.end(), item.op) == ops.end()) {
    refuse("--op", item.op, name_hint(item.op, ops));
  }
  item.root = read_count(options, "--root", 0, 0);
  if (item.root >= ranks) {
    refuse("--root", std::to_string(item.root), fmt::format("ranks are 0 to {}", ranks - 1));
  }
  if (!collective_has_root(item.collective)) item.root = 0;
  item.warmup = read_count(options, "-w", item.warmup, 0);
  item.iterations = read_count(options, "-n", item.iterations, 1);
  item.algorithm = options.value("--algo");
  if (item.algorithm) {
    reading("--algo", [&] { return builtin_algorithms().at(*item.algorithm).name; });
  }
  if (const auto name = options.value("--proto")) {
    item.protocol = reading("--proto", [&] { return protocol_from_name(*name); });
  }
  for (const Bytes size : read_sizes(options)) {
    item.size = size;
    plan.collectives.push_back(item);
  }
  return plan;
}

// The lists know these better.
void refuse_beside(const ParsedOptions& options, std::string_view list,
                   std::span<const std::string_view> others) {
  for (const std::string_view other : others) {
    if (!options.has(other)) continue;
    throw InputError(fmt::format("{} does not go with {}", other, list), "leave out one of them");
  }
  if (!options.positionals.empty()) {
    throw InputError(fmt::format("'{}' does not go with {}", options.positionals[0], list),
                     "leave out one of them");
  }
}

Plan read_request_plan(const ParsedOptions& options, int ranks) {
  constexpr std::array<std::string_view, 11> kOfSizes = {
      "-b",     "-f",     "-n",      "-w", "--dtype",      "--op",
      "--root", "--algo", "--proto", "-e", "--calibration"};
  if (const auto path = options.value("--plan")) {
    refuse_beside(options, "--plan", kOfSizes);
    Plan plan = read_plan(*path);
    if (plan.ranks == ranks) return plan;
    throw InputError(fmt::format("the plan is for {} ranks, and {} run", plan.ranks, ranks),
                     fmt::format("start {} ranks", plan.ranks));
  }
  if (!options.has("--calibration")) return sizes_plan(options, ranks);
  refuse_beside(options, "--calibration", std::span(kOfSizes).first(kOfSizes.size() - 2));
  return calibration_plan(ranks, read_size(options, "-e", kMost));
}

ReplayFormat read_format(const std::string& text) {
  if (text == "table") return ReplayFormat::Table;
  if (text == "csv") return ReplayFormat::Csv;
  if (text == "json") return ReplayFormat::Json;
  refuse("--format", text, name_hint(text, {"table", "csv", "json"}));
}

ReplayTiming read_timing(const std::string& text) {
  for (const ReplayTiming timing : {ReplayTiming::BackToBack, ReplayTiming::Isolated}) {
    if (text == replay_timing_name(timing)) return timing;
  }
  refuse("--timing", text, name_hint(text, {"back-to-back", "isolated"}));
}

// Without the options that this program does not have.
std::vector<OptionSpec> specs_of(bool devices) {
  std::vector<OptionSpec> specs(kOptions.begin(), kOptions.end());
  if (!devices) {
    std::erase_if(specs, [](const OptionSpec& spec) { return spec.name == "-g"; });
  }
  return specs;
}

}  // namespace

ReplayRequest read_replay_request(std::span<const std::string> arguments, int ranks, bool devices) {
  ReplayRequest request;
  const auto is_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  request.help = std::any_of(arguments.begin(), arguments.end(), is_help);
  if (request.help) return request;
  const std::vector<OptionSpec> specs = specs_of(devices);
  const ParsedOptions options = parse_options("replay", specs, arguments);
  if (devices) {
    const int gpus = read_count(options, "-g", ranks, 1);
    if (gpus > ranks) {
      refuse("-g", std::to_string(gpus), fmt::format("GPUs that can be used here: {}", ranks));
    }
    ranks = gpus;
  }
  request.plan = read_request_plan(options, ranks);
  request.plan.repeats = read_count(options, "--repeats", request.plan.repeats, 1);
  request.system = options.value("--system").value_or(request.plan.system);
  request.case_name = options.value("--case").value_or("");
  request.settings.timing = read_timing(options.value("--timing").value_or("back-to-back"));
  request.settings.check = !options.has("--no-check");
  request.settings.in_place = !options.has("--no-in-place");
  request.settings.budget = read_time(options, "--budget");
  if (options.has("--calibration") && !request.settings.budget) {
    request.settings.budget = std::chrono::seconds(120);
  }
  if (const auto timeout = read_time(options, "--timeout")) request.timeout = *timeout;
  request.format = read_format(options.value("--format").value_or("table"));
  if (request.format == ReplayFormat::Json) require_one_test(request.plan);
  if (request.format == ReplayFormat::Csv && request.system.empty()) {
    request.notes.emplace_back("note: without --system the table names no machine");
  }
  request.output = options.value("--output").value_or("");
  return request;
}

std::string replay_help(std::string_view program, bool devices) {
  std::string text = fmt::format(
      "{0} (ringspan {1}) - measures collectives the way ringspan simulates them\n\n"
      "Usage:\n  {0} COLLECTIVE [OPTIONS]\n  {0} --plan FILE [OPTIONS]\n"
      "  {0} --calibration [OPTIONS]\n\n"
      "Every result is compared with a reference on the host. docs/replay.md says "
      "more.\n\nOptions:\n",
      program, kVersion);
  for (const OptionSpec& spec : specs_of(devices)) {
    text += fmt::format("  {}{}{}{}\n", spec.name,
                        spec.letter != '\0' ? fmt::format(", -{}", spec.letter) : "",
                        spec.value.empty() ? "" : " ", spec.value);
    for (std::string_view lines = spec.help; !lines.empty();) {
      const std::size_t end = std::min(lines.find('\n'), lines.size());
      text += fmt::format("      {}\n", lines.substr(0, end));
      lines.remove_prefix(std::min(end + 1, lines.size()));
    }
  }
  text +=
      "  --help, -h\n      This page.\n\nExit status:\n"
      "  0    done, all results right\n"
      "  1    an error of this program: please report it\n"
      "  2    something must be changed: an option, a plan, the disk, the memory, the machine\n"
      "  3    results are wrong, or a rank is lost\n"
      "  130  ended by Ctrl-C; what was done is printed\n";
  return text;
}

}  // namespace ringspan
