#include "app/cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "app/cli/side_files.h"
#include "app/scenario/nccl_settings.h"
#include "models/collectives/datatype.h"
#include "models/collectives/nccl_version.h"
#include "models/nccl/version_note.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

constexpr Bytes kDefaultLeast{8};
constexpr Bytes kDefaultMost{std::int64_t{1} << 30};
constexpr Bytes kLargestSize{std::int64_t{1} << 62};
constexpr std::string_view kDefaultFactor = "2";

[[noreturn]] void refuse(std::string_view option, const std::string& value, std::string_view what,
                         std::string hint) {
  throw InputError(fmt::format("{}: '{}' is {}", option, value, what), std::move(hint));
}

// An InputError of the library with the option's name in front.
template <typename Read>
auto reading(std::string_view option, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw InputError(fmt::format("{}: {}", option, problem.message), problem.hint);
  }
}

int read_count(std::string_view option, const std::string& text, int least) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool whole = error == std::errc{} && rest == end;
  if (!whole || value < least) {
    refuse(option, text, "not possible",
           fmt::format("give a whole number from {}, such as {} {}", least, option, least + 1));
  }
  return value;
}

Bytes read_size(std::string_view option, const std::string& text, std::vector<std::string>& notes) {
  const ParsedSize parsed = reading(option, [&] { return parse_size(text); });
  if (parsed.size > kLargestSize) {
    refuse(option, text, "too large", "the largest size is 2^62 bytes (4194304T)");
  }
  if (parsed.decimal_prefix) {
    notes.push_back(
        fmt::format("note: {} {} is {} bytes: KB, MB, GB and TB are decimal; K, M, G "
                    "and T (or KiB, ...) are binary",
                    option, text, parsed.size.count));
  }
  return parsed.size;
}

double read_factor(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || !std::isfinite(value) || !(value > 1)) {
    refuse("-f", text, "not possible", "give a number above 1, such as -f 2");
  }
  return value;
}

void read_sizes(const ParsedOptions& options, RunRequest& request) {
  SizeRange& sizes = request.sizes;
  const auto least = options.value("-b");
  const auto most = options.value("-e");
  sizes.least = least ? read_size("-b", *least, request.notes) : kDefaultLeast;
  sizes.most = most ? read_size("-e", *most, request.notes) : std::max(kDefaultMost, sizes.least);
  sizes.factor = options.value("-f").value_or(std::string(kDefaultFactor));
  if (sizes.least > sizes.most) {
    throw InputError(fmt::format("the smallest size, -b {}, is above the largest, -e {}",
                                 least.value_or("8 (the default)"), *most),
                     least ? "give -b a size up to that of -e" : "give -b too");
  }
  request.scenario.sizes = size_steps(sizes.least, sizes.most, read_factor(sizes.factor));
}

// The enumerator of a word: one of a few.
template <typename Value, std::size_t count>
Value read_choice(std::string_view option, const std::string& text,
                  const std::array<std::pair<std::string_view, Value>, count>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (name == text) return value;
    names.emplace_back(name);
  }
  refuse(option, text, "not known", name_hint(text, names));
}

std::optional<Granularity> read_granularity(const std::string& text) {
  using Choice = std::pair<std::string_view, std::optional<Granularity>>;
  return read_choice<std::optional<Granularity>, 3>(
      "--granularity", text,
      {Choice{"auto", std::nullopt}, Choice{"stream", Granularity::Stream},
       Choice{"chunk", Granularity::Chunk}});
}

NetworkKind read_network(const std::string& text) {
  using Choice = std::pair<std::string_view, NetworkKind>;
  return read_choice<NetworkKind, 2>(
      "--network", text,
      {Choice{"fluid", NetworkKind::Fluid}, Choice{"queueing", NetworkKind::Queueing}});
}

std::string read_reduction(const std::string& text) {
  for (const std::string& name : reduction_names()) {
    if (name == text) return text;
  }
  refuse("--op", text, "not known", name_hint(text, reduction_names()));
}

void read_settings(const ParsedOptions& options, RunRequest& request) {
  const auto settings = options.value("--env");
  if (!settings) return;
  NcclEnvironment& environment = request.scenario.environment;
  environment = read_nccl_environment(*settings);
  std::vector<std::string> notes = environment.notes;
  for (std::string& note : settings_without_effect(environment)) notes.push_back(std::move(note));
  for (const std::string& note : notes) request.notes.push_back("note: --env: " + note);
  for (auto& override : system_overrides(environment)) {
    request.overrides.push_back(std::move(override));
  }
}

void note_if_without_meaning(const ParsedOptions& options, RunRequest& request) {
  const CollectiveKind kind = request.scenario.collective;
  const auto note = [&](std::string_view option) {
    request.notes.push_back(
        fmt::format("note: {} has no meaning for {}", option, collective_name(kind)));
  };
  if (options.has("--op") && !collective_reduces(kind)) note("--op");
  if (options.has("--root") && !collective_has_root(kind)) note("--root");
}

void read_collective(const ParsedOptions& options, RunScenario& scenario) {
  if (const auto type = options.value("--dtype")) {
    scenario.dtype = *type;
    reading("--dtype", [&] { return dtype_size(*type); });
  }
  if (const auto op = options.value("--op")) scenario.op = read_reduction(*op);
  if (const auto root = options.value("--root")) scenario.root = read_count("--root", *root, 0);
  if (const auto gpus = options.value("--gpus")) scenario.gpus = read_count("--gpus", *gpus, 1);
  if (const auto nodes = options.value("--nodes")) {
    scenario.nodes = read_count("--nodes", *nodes, 1);
  }
}

void read_choices(const ParsedOptions& options, RunScenario& scenario) {
  scenario.algorithm = options.value("--algo");
  if (const auto protocol = options.value("--proto")) {
    scenario.protocol = reading("--proto", [&] { return protocol_from_name(*protocol); });
  }
  if (const auto count = options.value("--channels")) {
    scenario.channels = read_count("--channels", *count, 1);
  }
  if (const auto text = options.value("--granularity")) {
    scenario.granularity = read_granularity(*text);
  }
  if (const auto text = options.value("--network")) scenario.network = read_network(*text);
  if (const auto seed = options.value("--seed")) scenario.seed = read_seed(*seed);
  if (const auto count = options.value("--iters")) {
    scenario.iterations = read_count("--iters", *count, 1);
  }
  if (const auto mode = options.value("--launch")) {
    scenario.launch = reading("--launch", [&] { return launch_mode_from_name(*mode); });
  }
  if (scenario.network == NetworkKind::Queueing && scenario.granularity == Granularity::Stream) {
    throw InputError("--network queueing needs --granularity chunk: stream moves whole flows",
                     "leave out one of the two");
  }
  scenario.explain = options.has("--explain");
}

void read_version(const ParsedOptions& options, RunRequest& request) {
  const auto text = options.value("--nccl");
  if (!text) return;
  const NcclVersion version = reading("--nccl", [&] { return parse_nccl_version(*text); });
  request.scenario.nccl = modelled_nccl_version(version);
  const std::string note = nccl_version_note(version);
  if (!note.empty()) request.notes.push_back("note: " + note);
}

void require_positionals(const ParsedOptions& options) {
  constexpr const char* kExample = "for example: ringspan run dgx-h100 all_reduce -b 8 -e 8G";
  const std::vector<std::string>& positionals = options.positionals;
  if (positionals.empty()) throw InputError("no system is given", kExample);
  if (positionals.size() == 1 && !options.has("--concurrent")) {
    throw InputError("no collective is given", kExample);
  }
  if (positionals.size() > 2) {
    throw InputError("unexpected argument '" + positionals[2] + "'",
                     "'ringspan run' takes one system and one collective");
  }
}

bool has_own_sizes(const std::vector<JobSpec>& jobs) {
  return !jobs.empty() && std::all_of(jobs.begin(), jobs.end(),
                                      [](const JobSpec& job) { return job.size.has_value(); });
}

// Options that would be of no effect are said, or refused where the user must have meant another
// thing.
void read_concurrent(const ParsedOptions& options, std::optional<CollectiveKind> collective,
                     RunRequest& request) {
  const std::optional<std::string> spec = options.value("--concurrent");
  if (!spec) return;
  request.jobs = read_jobs(*spec, collective);
  const auto note = [&](std::string_view what, std::string_view why) {
    request.notes.push_back(fmt::format("note: {} is not used: {}", what, why));
  };
  if (collective && spec->find(",@") == std::string::npos && spec->front() != '@' &&
      spec->find('@') != std::string::npos) {
    note(options.positionals[1], "every job names its collective");
  }
  if (options.has("--root")) {
    throw InputError("--root has no meaning for --concurrent: each job has a root of its own",
                     "give `root` to jobs in a file");
  }
  if (has_own_sizes(request.jobs) &&
      (options.has("-b") || options.has("-e") || options.has("-f"))) {
    note("the size (-b, -e, -f)", "every job has one of its own");
  }
}

}  // namespace

std::pair<std::string, std::string> read_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    refuse("--set", text, "not KEY=VALUE", "for example: --set name=mine");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

OutputFormat read_output_format(const std::string& text) {
  using Choice = std::pair<std::string_view, OutputFormat>;
  return read_choice<OutputFormat, 3>(
      "--format", text,
      {Choice{"table", OutputFormat::Table}, Choice{"csv", OutputFormat::Csv},
       Choice{"json", OutputFormat::Json}});
}

OutputFormat read_page_format(const std::string& text) {
  using Choice = std::pair<std::string_view, OutputFormat>;
  return read_choice<OutputFormat, 4>(
      "--format", text,
      {Choice{"table", OutputFormat::Table}, Choice{"csv", OutputFormat::Csv},
       Choice{"json", OutputFormat::Json}, Choice{"md", OutputFormat::Markdown}});
}

std::uint64_t read_seed(const std::string& text) {
  std::int64_t value = -1;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < 0) {
    refuse("--seed", text, "not possible", "give a whole number from 0 to 2^63 - 1");
  }
  return static_cast<std::uint64_t>(value);
}

std::string read_output_path(const ParsedOptions& options) {
  const std::optional<std::string> path = options.value("--output");
  if (path && path->empty()) {
    refuse("-o", *path, "not a file", "give a name, or leave out -o for standard output");
  }
  return path.value_or("");
}

RunRequest read_run_request(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("run", run_option_specs(), arguments);
  require_positionals(options);
  RunRequest request;
  request.system = options.positionals[0];
  std::optional<CollectiveKind> collective;
  if (options.positionals.size() > 1) collective = collective_from_name(options.positionals[1]);
  request.scenario.collective = collective.value_or(CollectiveKind::AllReduce);
  for (const std::string& text : options.values("--set")) {
    request.overrides.push_back(read_override(text));
  }
  read_settings(options, request);
  request.profile = options.value("--profile");
  read_collective(options, request.scenario);
  read_choices(options, request.scenario);
  read_version(options, request);
  read_sizes(options, request);
  if (const auto format = options.value("--format")) request.format = read_output_format(*format);
  request.output = read_output_path(options);
  read_concurrent(options, collective, request);
  request.trace =
      read_trace_path(options, has_own_sizes(request.jobs) ? 1 : request.scenario.sizes.size());
  request.tuner_config = read_tuner_path(options, request.scenario.collective);
  request.plan = read_plan_path(options, request.jobs);
  if (request.jobs.empty()) note_if_without_meaning(options, request);
  return request;
}

}  // namespace ringspan
