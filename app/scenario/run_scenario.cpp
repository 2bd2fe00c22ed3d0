#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "app/scenario/communicator.h"
#include "app/scenario/path_classes.h"
#include "app/scenario/run_details.h"
#include "app/scenario/scenario.h"
#include "models/cost/lower_bound.h"
#include "models/workloads/chunk_run.h"
#include "models/workloads/stream_run.h"
#include "sim/base/check.h"
#include "sim/base/quantity.h"
#include "sim/network/fluid_network.h"
#include "sim/network/queueing_network.h"

namespace ringspan {

namespace {

// `auto` runs at chunk up to this many slices (about a second) and bytes; above, at stream. Between
// servers paths are several times as long and more links are shared.
constexpr std::int64_t kChunkBudget = 2'000'000;
constexpr std::int64_t kChunkBudgetBetweenDomains = 200'000;
constexpr std::int64_t kChunkMemory = std::int64_t{1} << 30;

// Ranks are named up to this many; of more, the first few.
constexpr std::size_t kRanksListed = 64;
constexpr std::size_t kRanksOfMany = 8;

// nccl-tests cuts the size into whole elements, and where every rank has a share of it, into shares
// of a multiple of 16 bytes (src/common.cu).
struct RoundedSize {
  std::int64_t bytes = 0;
  std::int64_t count = 0;  // the count column: per rank where there are shares
};

RoundedSize rounded_size(CollectiveKind kind, std::int64_t asked, int ranks, int element) {
  switch (kind) {
    case CollectiveKind::AllReduce:
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
    case CollectiveKind::SendRecv:
      return {asked / element * element, asked / element};
    default:
      break;
  }
  const std::int64_t unit = std::max<std::int64_t>(1, 16 / element);
  const std::int64_t count = asked / element / ranks / unit * unit;
  return {count * element * ranks, count};
}

// Bytes an out-of-place call copies inside one GPU: its own share, or the root's vector.
std::int64_t local_copy_bytes(CollectiveKind kind, std::int64_t bytes, int ranks) {
  if (ranks == 1) return bytes;
  switch (kind) {
    case CollectiveKind::AllGather:
    case CollectiveKind::AllToAll:
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
      return bytes / ranks;
    case CollectiveKind::Broadcast:
      return bytes;
    default:
      return 0;
  }
}

double gbytes_per_second(std::int64_t bytes, Duration time) {
  return time.count() > 0 ? static_cast<double>(bytes) / to_seconds(time) / 1e9 : 0;
}

class ScenarioRun {
 public:
  ScenarioRun(const RunScenario& scenario, const System& system, const Catalog& catalog,
              const ProgressCallback& progress)
      : scenario_(scenario),
        system_(system),
        progress_(progress),
        communicator_(scenario, system, catalog),
        bounds_(system.cluster, communicator_.places(), communicator_.spec()) {}

  RunReport run() {
    describe();
    for (std::size_t i = 0; i < scenario_.sizes.size() && !ended(); ++i) {
      done_ = i;
      std::optional<RunRow> row = run_size(scenario_.sizes[i]);
      if (row) report_.rows.push_back(std::move(*row));
    }
    return std::move(report_);
  }

 private:
  void describe() {
    report_.system = system_.info.name;
    report_.system_description = system_.info.description;
    report_.nodes = communicator_.servers();
    report_.gpus = communicator_.ranks();
    report_.gpu_model = communicator_.gpu_model().name;
    report_.profile = communicator_.profile().name;
    report_.nccl = communicator_.profile().nccl;
    report_.seed = scenario_.seed;
    report_.collective = scenario_.collective;
    report_.dtype = scenario_.dtype;
    report_.op = collective_reduces(scenario_.collective) ? scenario_.op : "none";
    report_.root = collective_has_root(scenario_.collective) ? scenario_.root : -1;
    report_.network = scenario_.network;
    name_ranks();
    report_.warnings = communicator_.left_out();
    warn_of_memory();
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
    const RoundedSize rounded = rounded_size(scenario_.collective, asked.count,
                                             communicator_.ranks(), dtype_size(scenario_.dtype));
    RunRow row;
    row.bytes = rounded.bytes;
    row.count = rounded.count;
    if (!keep_going(asked, 0)) {
      report_.interrupted = true;
      return std::nullopt;
    }
    if (rounded.bytes == 0 || communicator_.ranks() == 1) {
      run_alone(row);
    } else if (!run_together(Bytes{rounded.bytes}, row)) {
      return std::nullopt;
    }
    finish(row);
    return row;
  }

  // Nothing crosses the fabric: the launch, and the copy from one buffer to the other. One rank is
  // Ring and Simple to NCCL; for no bytes it is the way whose launch costs least.
  void run_alone(RunRow& row) {
    const auto& ways = communicator_.ways();
    auto way = std::find_if(ways.begin(), ways.end(), [](const Way& candidate) {
      return candidate.algorithm != "tree" && candidate.algorithm != "nvls" &&
             candidate.protocol == Protocol::Simple;
    });
    if (communicator_.ranks() > 1 || way == ways.end()) {
      way = std::min_element(ways.begin(), ways.end(),
                             [&](const Way& a, const Way& b) { return launch(a) < launch(b); });
    }
    row.algorithm = way->algorithm;
    row.protocol = way->protocol;
    row.channels = way->channels;
    row.time_in_place = row.time = launch(*way);
    row.bottleneck = "latency";
  }

  Duration predict(const Way& way, Bytes size) {
    return launch(way) +
           run_at_stream(way, cut_size(communicator_.outline(way), way.protocol, size), {}).time;
  }

  Duration launch(const Way& way) const {
    const AlgorithmCost& cost = communicator_.profile().cost_of(way.algorithm);
    return cost.base[static_cast<std::size_t>(way.protocol)];
  }

  RunResult run_at_stream(const Way& way, const SizeCut& cut, const KeepGoing& go_on,
                          RunObserver* observer = nullptr) {
    return run_stream(
        communicator_.loads(way), cut,
        [this, &way]() -> const CollectivePlan& { return communicator_.plan(way); }, go_on,
        observer);
  }

  // The way with the least time; the earlier one on ties. All are timed at `stream`, and those
  // within a tenth of the best again as they will be run, so that the pick does not hang on where
  // the two granularities differ and a larger size never takes less time.
  const Way& choose(Bytes size, RunRow& row) {
    const auto& ways = communicator_.ways();
    Duration best = Duration::max();
    for (const Way& way : ways) {
      row.candidates.push_back({way.algorithm, way.protocol, way.channels, {}, false});
      if (ways.size() == 1 && !scenario_.explain) break;
      row.candidates.back().predicted = predict(way, size);
      best = std::min(best, row.candidates.back().predicted);
    }
    std::size_t picked = 0;
    Duration least = Duration::max();
    for (std::size_t i = 0; i < ways.size(); ++i) {
      Duration& predicted = row.candidates[i].predicted;
      if (predicted - best > best / 10) continue;  // a sum could overflow
      if (ways.size() > 1) predicted = as_run(ways[i], size, predicted);
      if (predicted < least) {
        least = predicted;
        picked = i;
      }
    }
    row.candidates[picked].picked = true;
    return ways[picked];
  }

  // The time of a way at the granularity it will be run at; `at_stream` where that is `stream` or a
  // long run at `chunk`, or when the user stops meanwhile.
  Duration as_run(const Way& way, Bytes size, Duration at_stream) {
    const SizeCut cut = cut_size(communicator_.outline(way), way.protocol, size);
    if (granularity_for(way, cut) == Granularity::Stream || !affordable(way, cut)) {
      return at_stream;
    }
    const RunResult result = simulate(way, cut, size, Granularity::Chunk);
    return result.interrupted || result.stalled ? at_stream : launch(way) + result.time;
  }

  bool run_together(Bytes size, RunRow& row) {
    const Way& way = choose(size, row);
    const SizeCut cut = cut_size(communicator_.outline(way), way.protocol, size);
    row.algorithm = way.algorithm;
    row.protocol = way.protocol;
    row.channels = way.channels;
    row.chunk_bytes = cut.chunk_payload;
    row.slice_bytes = cut.slice_payload;
    row.loops = cut.loops;
    choose_granularity(way, cut, row);
    const RunResult result = observed(way, cut, size, row.granularity);
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
    row.time_in_place = row.time = launch(way) + result.time;
    describe_loads(communicator_.loads(way), cut, row);
    const auto& notes = communicator_.loads(way).notes;
    row.notes.insert(row.notes.end(), notes.begin(), notes.end());
    if (scenario_.explain && report_.paths.empty()) {
      report_.paths = path_classes(communicator_.outline(way), system_.cluster,
                                   communicator_.places(), communicator_.transport());
    }
    return true;
  }

  bool affordable(const Way& way, const SizeCut& cut) {
    const PlanOutline& outline = communicator_.outline(way);
    const std::int64_t budget =
        system_.cluster.domain_count() > 1 ? kChunkBudgetBetweenDomains : kChunkBudget;
    return slice_count(outline, cut) <= budget &&
           communicator_.plan_bytes(way) + chunk_memory_bytes(outline) <= kChunkMemory;
  }

  Granularity granularity_for(const Way& way, const SizeCut& cut) {
    const Granularity automatic = affordable(way, cut) ? Granularity::Chunk : Granularity::Stream;
    return scenario_.granularity.value_or(automatic);
  }

  void choose_granularity(const Way& way, const SizeCut& cut, RunRow& row) {
    row.granularity = granularity_for(way, cut);
    row.memory_bytes = communicator_.loads_bytes(way);
    if (row.granularity != Granularity::Chunk) return;
    const std::int64_t chunk_bytes = chunk_memory_bytes(communicator_.outline(way));
    require_memory(chunk_bytes, fmt::format("{} at granularity chunk", way.algorithm),
                   "use --granularity stream");
    row.memory_bytes += communicator_.plan_bytes(way) + chunk_bytes;
  }

  // The run of a row; those that only help to choose are nobody else's business.
  RunResult observed(const Way& way, const SizeCut& cut, Bytes size, Granularity granularity) {
    RunObserver* const observer = scenario_.observer;
    if (observer == nullptr) return simulate(way, cut, size, granularity);
    observer->run_begins(communicator_.loads(way).input, communicator_.outline(way));
    RunResult result = simulate(way, cut, size, granularity, observer);
    observer->run_ends();
    return result;
  }

  RunResult simulate(const Way& way, const SizeCut& cut, Bytes size, Granularity granularity,
                     RunObserver* observer = nullptr) {
    const KeepGoing go_on = [this, size](double fraction) { return keep_going(size, fraction); };
    if (granularity == Granularity::Stream) {
      return run_at_stream(way, cut, go_on, observer);
    }
    const CollectivePlan& plan = communicator_.plan(way);
    if (scenario_.network == NetworkKind::Queueing) {
      QueueingNetwork network(plan.links);
      return run_chunk(plan, cut, network, go_on, observer);
    }
    FluidNetwork network(plan.links);
    return run_chunk(plan, cut, network, go_on, observer);
  }

  // The local copy runs beside the transfers and shows only where it takes longer than they do.
  void finish(RunRow& row) {
    const std::int64_t copy =
        local_copy_bytes(scenario_.collective, row.bytes, communicator_.ranks());
    const AlgorithmCost& cost = communicator_.profile().cost_of(row.algorithm);
    if (copy > 0) {
      const Duration copied = cost.base[static_cast<std::size_t>(row.protocol)] +
                              transfer_time(Bytes{copy}, communicator_.gpu_model().memory_copy);
      row.time = std::max(row.time, copied);
      if (row.time > row.time_in_place) row.bottleneck = "local copy";
    }
    const LowerBound bound = bounds_.of(Bytes{row.bytes});
    row.lower_bound = bound.time;
    row.lower_bound_reason = bound.reason;
    const double factor = busbw_factor(scenario_.collective, communicator_.ranks());
    row.algbw_gbs = gbytes_per_second(row.bytes, row.time);
    row.algbw_in_place_gbs = gbytes_per_second(row.bytes, row.time_in_place);
    row.busbw_gbs = row.algbw_gbs * factor;
    row.busbw_in_place_gbs = row.algbw_in_place_gbs * factor;
  }

  const RunScenario& scenario_;
  const System& system_;
  const ProgressCallback& progress_;
  Communicator communicator_;
  LowerBounds bounds_;
  RunReport report_;
  std::size_t done_ = 0;
};

}  // namespace

RunReport run_scenario(const RunScenario& scenario, const System& system, const Catalog& catalog,
                       const ProgressCallback& progress) {
  return ScenarioRun(scenario, system, catalog, progress).run();
}

}  // namespace ringspan
