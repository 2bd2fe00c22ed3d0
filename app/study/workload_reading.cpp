// [[workload]]: a collective with its sizes, a mix of several, several at once, or known times.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/study/study_sections.h"
#include "models/collectives/datatype.h"
#include "sim/base/decimal.h"
#include "sim/base/quote.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

constexpr std::size_t kMostWorkloads = 1'000;

constexpr std::array kGranularities = {Granularity::Stream, Granularity::Chunk};
constexpr std::array kNetworks = {NetworkKind::Fluid, NetworkKind::Queueing};

// What the command has as options of the run.
void read_run_keys(const ConfigNode& table, WorkloadPart& part) {
  part.where = table.position();
  part.dtype = table.text_or("dtype", part.dtype);
  at_key(table, "dtype", [&] { return dtype_size(part.dtype); });
  if (given(table, "algorithm")) part.algorithm = table.text("algorithm");
  if (given(table, "protocol")) {
    const std::string text = table.text("protocol");
    part.protocol = at_key(table, "protocol", [&] { return protocol_from_name(text); });
  }
  if (given(table, "channels")) part.channels = static_cast<int>(table.integer("channels", 1, 64));
  if (given(table, "granularity")) {
    part.granularity = enum_choice(table, "granularity", kGranularities, granularity_name);
  }
  if (given(table, "network")) {
    part.network = enum_choice(table, "network", kNetworks, network_name);
  }
  if (given(table, "launch")) {
    part.launch = enum_choice(table, "launch", kAllLaunchModes, launch_mode_name);
  }
  if (part.network == NetworkKind::Queueing && part.granularity == Granularity::Stream) {
    table.fail("granularity", "network queueing needs granularity chunk: stream moves whole flows",
               "leave out one of the two");
  }
}

void read_collective(const ConfigNode& table, WorkloadPart& part) {
  const std::string name = table.text("collective");
  part.collective = at_key(table, "collective", [&] { return collective_from_name(name); });
  read_run_keys(table, part);
  if (given(table, "root")) {
    if (!collective_has_root(part.collective)) {
      table.fail("root", fmt::format("{} has no root", name), "leave it out");
    }
    part.root = static_cast<int>(table.integer("root", 0, 1 << 30));
  }
}

WorkloadPart read_mix_part(const ConfigNode& table) {
  WorkloadPart part;
  read_collective(table, part);
  part.sizes = {read_study_size(table, "size")};
  part.weight = table.number_or("weight", 1, 0, 1e12);
  if (part.weight <= 0) table.fail("weight", "a weight is above 0", "leave the part out");
  return part;
}

void read_mix(const ConfigNode& table, StudyWorkload& workload) {
  workload.kind = WorkloadKind::Mix;
  for (const ConfigNode& node : table.children("part")) {
    workload.parts.push_back(read_mix_part(node));
  }
  if (workload.parts.empty()) {
    table.fail("part", "the mix has no part", "one [[workload.part]] for each collective");
  }
}

// Positions in a text of jobs are those of the key.
void read_jobs_at_once(const ConfigNode& table, const std::string& folder,
                       StudyWorkload& workload) {
  workload.kind = WorkloadKind::Jobs;
  const std::string spec = table.text("jobs");
  const bool is_text = spec.find('@') != std::string::npos;
  if (spec == "-") table.fail("jobs", "jobs are not read from standard input", "name a file");
  workload.jobs = is_text ? at_key(table, "jobs", [&] { return parse_jobs(spec, std::nullopt); })
                          : read_jobs(located(folder, spec), std::nullopt);
  WorkloadPart common;
  read_run_keys(table, common);
  const bool own_sizes = std::all_of(workload.jobs.begin(), workload.jobs.end(),
                                     [](const JobSpec& job) { return job.size.has_value(); });
  if (own_sizes) {
    if (given(table, "sizes")) {
      table.fail("sizes", "every job has a size of its own", "leave out `sizes`");
    }
    common.sizes = {Bytes{0}};
  } else {
    common.sizes = read_study_sizes(table);
  }
  for (JobSpec& job : workload.jobs) {
    if (!is_text) continue;
    job.where = job.ranks_at = table.position_of("jobs");
  }
  workload.parts = {common};
}

// "8 h" in seconds.
double read_known_time(const ConfigNode& times, const std::string& design) {
  const std::string text = times.text(design);
  const DecimalScan number = scan_decimal(text);
  constexpr std::array<std::pair<std::string_view, double>, 7> kUnits = {{{"us", 1e-6},
                                                                          {"ms", 1e-3},
                                                                          {"s", 1},
                                                                          {"min", 60},
                                                                          {"h", 3600},
                                                                          {"d", 86400},
                                                                          {"days", 86400}}};
  if (number.status == DecimalStatus::Ok && !number.value.negative && number.value.digits > 0) {
    std::string_view unit = std::string_view(text).substr(number.length);
    if (unit.starts_with(' ')) unit.remove_prefix(1);
    for (const auto& [name, seconds] : kUnits) {
      if (unit == name) return std::stod(text.substr(0, number.length)) * seconds;
    }
  }
  times.fail(design, fmt::format("{} is no time", quote_text(text)),
             "a number above 0 with us, ms, s, min, h or d, such as \"8 h\"");
}

void read_known_times(const ConfigNode& table, const std::vector<StudyDesign>& designs,
                      StudyWorkload& workload) {
  workload.kind = WorkloadKind::Known;
  const ConfigNode times = table.child("times");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    const std::string& name = designs[i].name;
    names.push_back(name);
    if (!times.has(name)) {
      table.fail("times", fmt::format("the time of design {} is missing", quote_text(name)),
                 fmt::format("add \"{}\" = \"8 h\"", name));
    }
    workload.times.push_back({i, read_known_time(times, name)});
  }
  for (const std::string& key : times.keys()) {
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    times.fail(key, fmt::format("no design is called {}", quote_text(key)), name_hint(key, names));
  }
}

StudyWorkload read_workload(const ConfigNode& table, const std::vector<StudyDesign>& designs,
                            const std::string& folder, const std::vector<std::string>& names) {
  StudyWorkload workload;
  workload.where = table.position();
  constexpr std::array<std::string_view, 4> kKinds = {"collective", "part", "jobs", "times"};
  const auto kinds = std::count_if(kKinds.begin(), kKinds.end(),
                                   [&](std::string_view key) { return given(table, key); });
  if (kinds != 1) {
    throw InputError(
        workload.where,
        kinds == 0 ? "the workload says nothing to do" : "the workload is of several kinds at once",
        "one of: `collective` with `sizes`, [[workload.part]]s, `jobs`, `times`");
  }
  std::string fallback;
  if (table.has("collective")) fallback = table.text("collective");
  workload.name = read_unique_name(table, "workload", names, fallback);
  if (table.has("part")) {
    read_mix(table, workload);
  } else if (table.has("jobs")) {
    read_jobs_at_once(table, folder, workload);
  } else if (table.has("times")) {
    read_known_times(table, designs, workload);
  } else {
    WorkloadPart part;
    read_collective(table, part);
    part.sizes = read_study_sizes(table);
    workload.parts = {part};
  }
  return workload;
}

}  // namespace

std::vector<StudyWorkload> read_workloads(const ConfigNode& root,
                                          const std::vector<StudyDesign>& designs,
                                          const std::string& folder) {
  const std::vector<ConfigNode> tables = root.children("workload");
  if (tables.empty()) {
    root.fail("workload", "the study has no [[workload]]",
              "one [[workload]] for each, with `collective` and `sizes`");
  }
  if (tables.size() > kMostWorkloads) {
    root.fail("workload", fmt::format("{} workloads are too many", tables.size()),
              fmt::format("up to {}", kMostWorkloads));
  }
  std::vector<StudyWorkload> workloads;
  std::vector<std::string> names;
  for (const ConfigNode& table : tables) {
    workloads.push_back(read_workload(table, designs, folder, names));
    names.push_back(workloads.back().name);
  }
  return workloads;
}

}  // namespace ringspan
