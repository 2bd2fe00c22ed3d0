#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "app/scenario/collective_run.h"
#include "app/scenario/path_classes.h"
#include "app/scenario/run_details.h"
#include "app/scenario/scenario.h"
#include "models/cost/fabric_class.h"
#include "models/workloads/chunk_run.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

// Ranks are named up to this many; of more, the first few.
constexpr std::size_t kRanksListed = 64;
constexpr std::size_t kRanksOfMany = 8;

class ScenarioRun {
 public:
  ScenarioRun(const RunScenario& scenario, const System& system, const Catalog& catalog,
              const ProgressCallback& progress)
      : scenario_(scenario),
        system_(system),
        progress_(progress),
        collective_(scenario, system, catalog, stop_check()),
        communicator_(collective_.communicator()),
        fabric_class_(fabric_class_of(system.cluster, communicator_.places())) {}

  RunReport run() {
    describe();
    try {
      for (; done_ < scenario_.sizes.size() && !ended(); ++done_) {
        std::optional<RunRow> row = run_size(scenario_.sizes[done_]);
        if (row) report_.rows.push_back(std::move(*row));
      }
    } catch (const Stopped&) {
      report_.interrupted = true;
    }
    return std::move(report_);
  }

 private:
  // For what is made once, whatever the size.
  StopCheck stop_check() const {
    if (!progress_) return StopCheck();
    return StopCheck([this] { return keep_going(scenario_.sizes.at(done_), 0); });
  }

  void describe() {
    report_.system = system_.info.name;
    report_.system_description = system_.info.description;
    report_.nodes = communicator_.servers();
    report_.domains = domains_spanned();
    report_.gpus = communicator_.ranks();
    report_.gpu_model = communicator_.gpu_model().name;
    report_.profile = communicator_.profile().name;
    report_.nccl = communicator_.profile().nccl;
    report_.seed = scenario_.seed;
    report_.iterations = scenario_.iterations;
    report_.collective = scenario_.collective;
    report_.dtype = scenario_.dtype;
    report_.op = collective_reduces(scenario_.collective) ? scenario_.op : "none";
    report_.root = collective_has_root(scenario_.collective) ? scenario_.root : -1;
    report_.network = scenario_.network;
    name_ranks();
    report_.warnings = communicator_.left_out();
    warn_of_memory();
  }

  int domains_spanned() const {
    std::set<std::int32_t> domains;
    for (const GpuPlace& place : communicator_.places()) domains.insert(place.domain);
    return static_cast<int>(domains.size());
  }

  // All of them, or the first few of very many: names of 100,000 ranks are of no use to anyone.
  void name_ranks() {
    const auto places = communicator_.places();
    const std::size_t listed = places.size() <= kRanksListed ? places.size() : kRanksOfMany;
    for (const GpuPlace& place : places.first(listed)) {
      const DomainKind& kind = system_.cluster.domain(place.domain);
      const NodeId gpu = kind.gpus[static_cast<std::size_t>(place.gpu)];
      report_.rank_devices.push_back(
          {system_.cluster.device_name(place.domain, gpu), number_in_server(kind, gpu)});
    }
  }

  // Among the GPUs of its server, from 0.
  static int number_in_server(const DomainKind& kind, NodeId gpu) {
    int number = 0;
    for (const NodeId other : kind.gpus) {
      if (other == gpu) break;
      if (kind.topology.device(other).server == kind.topology.device(gpu).server) ++number;
    }
    return number;
  }

  void warn_of_memory() {
    if (scenario_.sizes.empty()) return;
    const Bytes memory = communicator_.gpu_model().memory;
    if (scenario_.sizes.back() <= memory) return;
    report_.warnings.push_back(
        fmt::format("sizes above {} are larger than the memory of one {}: computed all the same",
                    format_size(memory), communicator_.gpu_model().name));
  }

  bool ended() const { return report_.interrupted || !report_.stalled.empty(); }

  bool keep_going(Bytes size, double fraction) const {
    return !progress_ || progress_({done_, scenario_.sizes.size(), size, fraction});
  }

  std::optional<RunRow> run_size(Bytes asked) {
    const RoundedSize rounded = collective_.rounded(asked);
    RunRow row;
    row.bytes = rounded.bytes;
    row.count = rounded.count;
    if (!keep_going(asked, 0)) {
      report_.interrupted = true;
      return std::nullopt;
    }
    if (collective_.is_idle(rounded.bytes)) {
      run_idle(row);
    } else if (!run_together(Bytes{rounded.bytes}, row)) {
      return std::nullopt;
    }
    collective_.fill_rates(row);
    judge(row);
    return row;
  }

  // How sure it is.
  void judge(RunRow& row) const {
    const PredictedCall call{fabric_class_, scenario_.collective, row.algorithm,
                             communicator_.ranks(), row.bytes};
    row.extrapolated = is_extrapolated(communicator_.profile(), call);
    row.interval = interval_for(communicator_.profile(), call);
  }

  // Nothing crosses the fabric: the launch, and the copy from one buffer to the other.
  void run_idle(RunRow& row) {
    const Way& way = collective_.idle_way();
    row.algorithm = way.algorithm;
    row.protocol = way.protocol;
    row.channels = way.channels;
    row.time_in_place = row.time =
        std::max(collective_.launch(way, {}), collective_.launch_floor(way));
    row.bottleneck = "latency";
    copy_locally(collective_.launch(way, {}), row);
  }

  bool run_together(Bytes size, RunRow& row) {
    const KeepGoing go_on = [this, size](double fraction) { return keep_going(size, fraction); };
    const Way& way = collective_.choose(size, row, go_on);
    const SizeCut cut = collective_.cut(way, size);
    row.algorithm = way.algorithm;
    row.protocol = way.protocol;
    row.channels = way.channels;
    row.chunk_bytes = cut.chunk_payload;
    row.slice_bytes = cut.slice_payload;
    row.loops = cut.loops;
    choose_granularity(way, cut, row);
    const RunResult result = observed(way, cut, row.granularity, go_on);
    if (result.interrupted) {
      report_.interrupted = true;
      return false;
    }
    if (result.stalled) {
      report_.stalled = result.waiting;
      return false;
    }
    row.operations = result.operations;
    row.events = result.events;
    const Duration launch = collective_.launch(way, cut);
    const Duration call = launch + collective_.in_a_row(result);
    row.time_in_place = row.time = std::max(call, collective_.launch_floor(way));
    describe_loads(communicator_.loads(way), cut, row);
    const auto& notes = communicator_.loads(way).notes;
    row.notes.insert(row.notes.end(), notes.begin(), notes.end());
    if (scenario_.explain && report_.paths.empty()) {
      report_.paths = path_classes(communicator_.outline(way), system_.cluster,
                                   communicator_.places(), communicator_.transport());
    }
    if (row.time > call) row.bottleneck = "launch";
    copy_locally(launch, row);
    return true;
  }

  void choose_granularity(const Way& way, const SizeCut& cut, RunRow& row) {
    row.granularity = collective_.granularity(way, cut);
    row.memory_bytes = communicator_.loads_bytes(way);
    if (row.granularity != Granularity::Chunk) return;
    const std::int64_t chunk_bytes = chunk_memory_bytes(communicator_.outline(way));
    require_memory(chunk_bytes, fmt::format("{} at granularity chunk", way.algorithm),
                   "use --granularity stream");
    row.memory_bytes += communicator_.plan_bytes(way) + chunk_bytes;
  }

  // The run of a row; those that only help to choose are nobody else's business.
  RunResult observed(const Way& way, const SizeCut& cut, Granularity granularity,
                     const KeepGoing& go_on) {
    RunObserver* const observer = scenario_.observer;
    if (observer == nullptr) return collective_.simulate(way, cut, granularity, go_on);
    // What may throw Stopped comes before the run begins.
    if (granularity == Granularity::Chunk) communicator_.plan(way);
    observer->run_begins(communicator_.loads(way).input, communicator_.outline(way));
    RunResult result = collective_.simulate(way, cut, granularity, go_on, observer);
    observer->run_ends();
    return result;
  }

  // The local copy runs beside the transfers and shows only where it takes longer than they do.
  void copy_locally(Duration launch, RunRow& row) const {
    const Duration copy = collective_.local_copy(row.bytes);
    if (copy > Duration{}) row.time = std::max(row.time, launch + copy);
    if (row.time > row.time_in_place) row.bottleneck = "local copy";
  }

  const RunScenario& scenario_;
  const System& system_;
  const ProgressCallback& progress_;
  std::size_t done_ = 0;
  CollectiveRun collective_;
  Communicator& communicator_;
  FabricClass fabric_class_;
  RunReport report_;
};

}  // namespace

RunReport run_scenario(const RunScenario& scenario, const System& system, const Catalog& catalog,
                       const ProgressCallback& progress) {
  return ScenarioRun(scenario, system, catalog, progress).run();
}

}  // namespace ringspan
