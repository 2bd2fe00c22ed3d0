#include "app/cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "app/cli/side_files.h"
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

constexpr std::array kOptions = {
    OptionSpec{"-b", "MIN",
               "Smallest size, in bytes or with a unit: K M G T (and KiB ... TiB) are binary,\n"
               "KB MB GB TB decimal. Means what nccl-tests' size column means for the\n"
               "collective. 0 prints one row and goes on from 8.\n"
               "Default: 8. Example: -b 64K"},
    OptionSpec{"-e", "MAX",
               "Largest size, in units as -b; at most 2^62 bytes.\n"
               "Default: 1G, or MIN where that is larger. Example: -e 8G"},
    OptionSpec{"-f", "FACTOR",
               "Each size is the last one times this, a number above 1 without unit; a result\n"
               "that is no whole number of bytes is rounded. Default: 2. Example: -f 1.5"},
    OptionSpec{"--gpus", "N",
               "GPUs that take part (ranks), in all: servers are filled in order. With --nodes,\n"
               "N/M of each of the M servers. The system's fabric grows to the servers needed.\n"
               "Default: all GPUs of the servers. Example: --gpus 64"},
    OptionSpec{
        "--nodes", "M",
        "Servers that take part (compute trays, in a rack of NVLink): the first M. The\n"
        "system's fabric grows to them, as far as its ports reach.\n"
        "Default: as many as --gpus needs, else the system's own number. Example: --nodes 8"},
    OptionSpec{"--set", "KEY=VALUE",
               "Changes one value of the system's file before it is read: a key with dots, array\n"
               "tables counted from 0. Can be given several times. Default: nothing is changed.\n"
               "Example: --set node.peer_to_peer=off",
               '\0', true},
    OptionSpec{"--dtype", "TYPE",
               "Data type: int8 uint8 int32 uint32 int64 uint64 half float double bfloat16\n"
               "f8e4m3 f8e5m2. Sizes are rounded down to whole elements.\n"
               "Default: float. Example: --dtype bfloat16"},
    OptionSpec{"--op", "OP",
               "Reduction: sum prod min max avg. Printed only: it does not change a time.\n"
               "Default: sum. Example: --op max"},
    OptionSpec{"--root", "R",
               "Root of broadcast, reduce, gather and scatter: a rank, from 0.\n"
               "Default: 0. Example: --root 3"},
    OptionSpec{"--algo", "A",
               "Forces an algorithm ('ringspan list algorithms'). Default: for each size\n"
               "what NCCL's tuner picks. Example: --algo ring"},
    OptionSpec{"--proto", "P",
               "Forces a protocol: ll, ll128 or simple.\n"
               "Default: for each size what NCCL picks. Example: --proto simple"},
    OptionSpec{"--channels", "C",
               "Forces the number of channels. Default: what the search finds on the system.\n"
               "Example: --channels 8"},
    OptionSpec{"--profile", "FILE",
               "Cost constants: a name ('ringspan list profiles') or a file. Default: the\n"
               "built-in one of the GPU's generation. Example: --profile ./my-profile.toml"},
    OptionSpec{"--nccl", "VERSION",
               "The version of NCCL whose choices are modelled: X.Y or X.Y.Z; older than 2.18 is\n"
               "taken as 2.18. Default: the newest known, 2.30.7. Example: --nccl 2.27.3"},
    OptionSpec{"--launch", "MODE",
               "How the ranks of a server are run: processes (one per GPU), threads (one per GPU)\n"
               "or single-process (one thread drives all GPUs, as nccl-tests -g 8: its launches\n"
               "are serial). Default: processes. Example: --launch single-process"},
    OptionSpec{"--iters", "N",
               "Calls in a row that a time is the mean of, as nccl-tests -n: the next broadcast\n"
               "or reduce begins while the last one is still on its way. 1: a call by itself.\n"
               "Default: 20. Example: --iters 1"},
    OptionSpec{"--seed", "S",
               "Seed of the hashes by which switches spread flows (routing ecmp), where the\n"
               "system's file names none: a whole number from 0 to 2^63 - 1.\n"
               "Default: 0. Example: --seed 7"},
    OptionSpec{
        "--concurrent", "JOBS",
        "Several collectives at once, in place of COLLECTIVE: [COLLECTIVE][:SIZE]@RANKS with\n"
        "commas in between; RANKS are 3, 0-7, 0-56/8 (every 8th), joined by +. Or a TOML\n"
        "file with start times and dependencies (docs/jobs.md). They share links; each\n"
        "one's time is printed beside its time alone. Default: one collective.\n"
        "Example: --concurrent \"all_reduce@0-7,all_gather@8-15\""},
    OptionSpec{"--granularity", "G",
               "stream: one coupled flow per channel and phase; chunk: every slice is an event;\n"
               "auto: chunk where the number of operations allows it.\n"
               "Default: auto. Example: --granularity stream"},
    OptionSpec{"--network", "N",
               "Network under chunk: fluid (max-min shares) or queueing (segments in queues).\n"
               "Default: fluid. Example: --network queueing"},
    OptionSpec{"--format", "F",
               "table (nccl-tests' layout), csv or json. Times are in microseconds, rates in\n"
               "GB/s (10^9 bytes per second). Default: table. Example: --format csv"},
    OptionSpec{"--output", "FILE",
               "Writes the results there, whole or not at all, and replaces what was there.\n"
               "Default: standard output. Example: -o results.csv",
               'o'},
    OptionSpec{"--trace", "FILE",
               "Writes the run as Chrome's trace events, which Perfetto opens: ranks, slices or\n"
               "phases, the busiest links over time. For one size. Default: off.\n"
               "Example: -b 64M -e 64M --trace run.json"},
    OptionSpec{"--explain", "",
               "Says what was picked, which paths the bytes take, what limits the run and how\n"
               "far it is from the lower bound: after a table, on standard error with csv, as\n"
               "`candidates` in json. Default: off. Example: --explain"},
    OptionSpec{"--emit-tuner", "FILE",
               "Writes the algorithm, protocol and channels of the least predicted time, size by\n"
               "size, as NCCL's example tuner plugin reads it (docs/output.md). Default: off.\n"
               "Example: --emit-tuner nccl_tuner.conf"},
    OptionSpec{"--emit-plan", "FILE",
               "Writes what is simulated as a plan that ringspan-replay and ringspan-replay-hosts\n"
               "measure (docs/plans.md). Default: off. Example: --emit-plan plan.toml"}};

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

std::span<const OptionSpec> run_option_specs() { return kOptions; }

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
  const ParsedOptions options = parse_options("run", kOptions, arguments);
  require_positionals(options);
  RunRequest request;
  request.system = options.positionals[0];
  std::optional<CollectiveKind> collective;
  if (options.positionals.size() > 1) collective = collective_from_name(options.positionals[1]);
  request.scenario.collective = collective.value_or(CollectiveKind::AllReduce);
  for (const std::string& text : options.values("--set")) {
    request.overrides.push_back(read_override(text));
  }
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
