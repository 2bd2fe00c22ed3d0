#pragma once

// One question, as plain data, and how it is answered. Code flow (style: one request, from file to
// table): the command fills a RunScenario; load_catalog_system() finds and reads the system;
// run_scenario() assembles (all checks happen there) and runs, size by size.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/scenario/run_report.h"
#include "models/collectives/algorithm.h"
#include "models/cost/launch_mode.h"
#include "models/cost/profile.h"
#include "models/links/link_preset.h"
#include "models/nccl/nccl_environment.h"
#include "models/workloads/run_observer.h"
#include "topologies/builders/system.h"

namespace ringspan {

// All registries and built-in data in one value; main makes one and passes it by const reference.
struct Catalog {
  Registry<AlgorithmFactory> algorithms;
  LinkPresets links;
  std::vector<Profile> profiles;
  std::vector<std::string> system_names;  // in the order listed
};

Catalog builtin_catalog();

// `name_or_path`: a catalogue name, or a path to a TOML file (it contains '/' or ends in ".toml",
// or a file of that name exists), or "-" for standard input. `overrides`: --set, in order; `size`:
// --nodes and --gpus. Throws InputError.
System load_system(const Catalog& catalog, std::string_view name_or_path,
                   const SystemOverrides& overrides = {}, const SystemSize& size = {});

// The TOML text behind a name or path, as it is; checked by loading it. Throws InputError.
std::string system_file_text(const Catalog& catalog, std::string_view name_or_path);

// The name of a built-in profile, or a path as for load_system. Throws InputError.
Profile load_profile(const Catalog& catalog, std::string_view name_or_path);

// nccl-tests times so many calls together (-n).
inline constexpr int kTimedCalls = 20;

struct RunScenario {
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::vector<Bytes> sizes;  // ascending, as asked for (nccl-tests rounds them)
  // Where every rank has a share of the size, down to a multiple of 16 bytes, as nccl-tests does
  // (src/common.cu); false: to whole elements, for sizes that were measured.
  bool rounds_shares = true;
  std::optional<int> nodes;  // servers that take part; default: as many as `gpus` needs, or all
  std::optional<int> gpus;   // in all, equally many on each of `nodes`; default: all of these
  // Which of these are the ranks, by number, in the order of the ranks; empty: all, in order.
  std::vector<std::int32_t> placement;
  std::string dtype = "float";
  std::string op = "sum";
  int root = 0;
  std::optional<std::string> algorithm;  // forced
  std::optional<Protocol> protocol;
  std::optional<int> channels;
  std::optional<Granularity> granularity;  // absent: auto
  NetworkKind network = NetworkKind::Fluid;
  std::string nccl;  // "2.27.3" or "2.27", not older than kOldestNccl; empty: the newest known
  LaunchMode launch = LaunchMode::Processes;
  NcclEnvironment environment;     // settings_without_effect() says what of it is not modelled
  int iterations = kTimedCalls;    // calls in a row that a time is the mean of
  std::optional<Profile> profile;  // absent: the built-in one of the GPU's generation
  std::uint64_t seed = 0;          // the system was read with it; for the report
  bool explain = false;            // fill candidates and loads
  // Told what the runs that the rows report do, size after size; nullptr: nobody.
  RunObserver* observer = nullptr;
};

// Called between sizes and now and then during one; false asks to stop: what is done is kept.
struct Progress {
  std::size_t sizes_done = 0, sizes_total = 0;
  Bytes size;           // being computed
  double fraction = 0;  // of it, 0..1, where known
};
using ProgressCallback = std::function<bool(const Progress&)>;

RunReport run_scenario(const RunScenario& scenario, const System& system, const Catalog& catalog,
                       const ProgressCallback& progress = {});

// The sizes of a run, ascending: `least` and then `factor` times the last, rounded, up to `most`;
// after 0 comes 8. Throws InputError where there would be more than 10,000. Requires
// 0 <= least <= most and factor > 1.
std::vector<Bytes> size_steps(Bytes least, Bytes most, double factor);

}  // namespace ringspan
