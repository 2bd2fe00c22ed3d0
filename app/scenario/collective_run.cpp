#include "app/scenario/collective_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/collectives/datatype.h"
#include "models/workloads/chunk_run.h"
#include "models/workloads/protocol_cost.h"
#include "models/workloads/stream_run.h"
#include "sim/network/fluid_network.h"
#include "sim/network/queueing_network.h"

namespace ringspan {

namespace {

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

}  // namespace

ChunkBudget chunk_budget(const Cluster& cluster) {
  constexpr std::int64_t kSlices = 2'000'000;
  constexpr std::int64_t kSlicesBetweenDomains = 200'000;
  constexpr std::int64_t kBytes = std::int64_t{1} << 30;
  return {cluster.domain_count() > 1 ? kSlicesBetweenDomains : kSlices, kBytes};
}

CollectiveRun::CollectiveRun(const RunScenario& scenario, const System& system,
                             const Catalog& catalog, StopCheck stop)
    : CollectiveRun(
          scenario, system, catalog,
          placed(choose_ranks(system, scenario.nodes, scenario.gpus), scenario.placement, system),
          make_transport(system), std::move(stop)) {}

CollectiveRun::CollectiveRun(const RunScenario& scenario, const System& system,
                             const Catalog& catalog, RankPlaces places,
                             std::shared_ptr<const Transport> transport, StopCheck stop)
    : scenario_(scenario),
      system_(system),
      communicator_(scenario, system, catalog, std::move(places), std::move(transport),
                    std::move(stop)),
      bounds_(system.cluster, communicator_.places(), communicator_.spec()) {}

RoundedSize CollectiveRun::rounded(Bytes asked) const {
  return rounded_size(scenario_.collective, asked, dtype_size(scenario_.dtype),
                      communicator_.ranks(), scenario_.rounds_shares);
}

// One rank is Ring and Simple to NCCL; for no bytes it is the way whose launch costs least.
const Way& CollectiveRun::idle_way() const {
  const auto& ways = communicator_.ways();
  auto way = std::find_if(ways.begin(), ways.end(), [](const Way& candidate) {
    return candidate.algorithm != "tree" && candidate.algorithm != "nvls" &&
           candidate.protocol == Protocol::Simple;
  });
  if (communicator_.ranks() > 1 || way == ways.end()) {
    way = std::min_element(ways.begin(), ways.end(), [&](const Way& a, const Way& b) {
      return launch(a, {}) < launch(b, {});
    });
  }
  return *way;
}

Duration CollectiveRun::in_a_row(const RunResult& result) const {
  const bool one_way = scenario_.collective == CollectiveKind::Broadcast ||
                       scenario_.collective == CollectiveKind::Reduce;
  if (!one_way) return result.time;
  const std::int64_t calls = scenario_.iterations;
  return result.busy + (result.time - result.busy) / calls;
}

Duration CollectiveRun::launch(const Way& way, const SizeCut& cut) const {
  const Profile& profile = communicator_.profile();
  const ProtocolCost cost(profile, way.algorithm, way.protocol);
  Duration launch = profile.launch.call + cost.base(cut.slice_payload);
  if (way.algorithm == "p2p" && cut.slice_payload > 0) launch += profile.p2p.per_peer * peers();
  return launch;
}

int CollectiveRun::peers() const {
  return scenario_.collective == CollectiveKind::SendRecv ? 1 : communicator_.ranks() - 1;
}

Duration CollectiveRun::launch_floor(const Way& way) const {
  if (scenario_.launch != LaunchMode::SingleProcess) return {};
  const LaunchCost& cost = communicator_.profile().launch;
  const int gpus = communicator_.ranks() / std::max(1, communicator_.servers());
  Duration floor = cost.per_gpu * gpus;
  if (way.algorithm == "p2p") floor += cost.per_further_peer * further_peers(gpus);
  return floor;
}

// Of the GPUs of one process, beyond the first of each; a rank is its own peer too.
int CollectiveRun::further_peers(int gpus) const {
  switch (scenario_.collective) {
    case CollectiveKind::SendRecv:
      return 0;
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
      return communicator_.ranks() - 1;  // the root's
    default:
      return gpus * (communicator_.ranks() - 1);
  }
}

Duration CollectiveRun::predict(const Way& way, Bytes size, const KeepGoing& go_on) {
  const SizeCut size_cut = cut(way, size);
  return launch(way, size_cut) + in_a_row(weigh(way, size_cut, Granularity::Stream, go_on));
}

const RunResult& CollectiveRun::weigh(const Way& way, const SizeCut& cut, Granularity granularity,
                                      const KeepGoing& go_on) {
  RunResult result = simulate(way, cut, granularity, go_on);
  if (result.interrupted) throw Stopped();
  weighed_.push_back({&way, cut, granularity, std::move(result)});
  return weighed_.back().result;
}

RunResult CollectiveRun::run_at_stream(const Way& way, const SizeCut& cut, const KeepGoing& go_on,
                                       RunObserver* observer) {
  return run_stream(
      communicator_.loads(way), cut,
      [this, &way]() -> const CollectivePlan& { return communicator_.plan(way); }, go_on, observer);
}

// A way that a rule names, whatever it takes.
const Way& CollectiveRun::take(const Way& picked, Bytes size, RunRow& row, const KeepGoing& go_on) {
  for (const Way& open : communicator_.ways()) {
    if (!scenario_.explain && &open != &picked) continue;
    const Way& way = communicator_.shaped(open, size);
    row.candidates.push_back(
        {way.algorithm, way.protocol, way.channels, {}, &open == &picked, {}, {}});
    if (!scenario_.explain) continue;
    row.candidates.back().predicted = predict(way, size, go_on);
    explain_choice(way, size, row.candidates.back());
  }
  return communicator_.shaped(picked, size);
}

void CollectiveRun::explain_choice(const Way& way, Bytes size, Candidate& candidate) const {
  const TunerTable* tuner = communicator_.tuner();
  const auto algorithm = tuner_algorithm_of(way.algorithm);
  if (tuner == nullptr || !algorithm) return;
  const TunerWay tuned{*algorithm, way.protocol};
  const TunerEntry& entry = tuner->entry(tuned);
  candidate.bar = entry.bar;
  if (!entry.bar.empty()) return;
  candidate.tuner = {entry.latency_us, entry.algbw_gbs, tuner->time_us(tuned, size.count)};
}

// All are timed at `stream`, and those within a tenth of the best again as they will be run, so
// that the pick does not hang on where the two granularities differ and a larger size never takes
// less time.
const Way& CollectiveRun::choose(Bytes size, RunRow& row, const KeepGoing& go_on) {
  const auto& ways = communicator_.ways();
  weighed_.clear();
  const Way* by_rule = communicator_.message_way(size);
  if (by_rule == nullptr) by_rule = communicator_.tuned_way(size);
  if (by_rule != nullptr) return take(*by_rule, size, row, go_on);
  Duration best = Duration::max();
  for (const Way& open : ways) {
    const Way& way = communicator_.shaped(open, size);
    row.candidates.push_back({way.algorithm, way.protocol, way.channels, {}, false, {}, {}});
    if (ways.size() == 1 && !scenario_.explain) break;
    row.candidates.back().predicted = predict(way, size, go_on);
    best = std::min(best, row.candidates.back().predicted);
  }
  std::size_t picked = 0;
  Duration least = Duration::max();
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Duration& predicted = row.candidates[i].predicted;
    if (predicted - best > best / 10) continue;  // a sum could overflow
    if (ways.size() > 1) {
      predicted = as_run(communicator_.shaped(ways[i], size), size, predicted, go_on);
    }
    if (predicted < least) {
      least = predicted;
      picked = i;
    }
  }
  row.candidates[picked].picked = true;
  return communicator_.shaped(ways[picked], size);
}

// The time of a way at the granularity it will be run at; `at_stream` where that is `stream` or a
// long run at `chunk`.
Duration CollectiveRun::as_run(const Way& way, Bytes size, Duration at_stream,
                               const KeepGoing& go_on) {
  const SizeCut size_cut = cut(way, size);
  if (granularity(way, size_cut) == Granularity::Stream || !affordable(way, size_cut)) {
    return at_stream;
  }
  const RunResult& result = weigh(way, size_cut, Granularity::Chunk, go_on);
  return result.stalled ? at_stream : launch(way, size_cut) + in_a_row(result);
}

std::int64_t CollectiveRun::slices(const Way& way, const SizeCut& cut) {
  return slice_count(communicator_.outline(way), cut);
}

std::int64_t CollectiveRun::chunk_bytes(const Way& way) {
  return communicator_.plan_bytes(way) + chunk_memory_bytes(communicator_.outline(way));
}

bool CollectiveRun::affordable(const Way& way, const SizeCut& cut) {
  const ChunkBudget budget = chunk_budget(system_.cluster);
  return slices(way, cut) <= budget.slices && chunk_bytes(way) <= budget.bytes;
}

Granularity CollectiveRun::granularity(const Way& way, const SizeCut& cut) {
  const Granularity automatic = affordable(way, cut) ? Granularity::Chunk : Granularity::Stream;
  return scenario_.granularity.value_or(automatic);
}

RunResult CollectiveRun::simulate(const Way& way, const SizeCut& cut, Granularity granularity,
                                  const KeepGoing& go_on, RunObserver* observer) {
  for (const Weighed& known : weighed_) {
    if (observer != nullptr) break;  // it wants to see the run
    if (known.way == &way && known.granularity == granularity && known.cut == cut) {
      return known.result;
    }
  }
  if (granularity == Granularity::Stream) return run_at_stream(way, cut, go_on, observer);
  const CollectivePlan& plan = communicator_.plan(way);
  if (scenario_.network == NetworkKind::Queueing) {
    QueueingNetwork network(plan.links);
    return run_chunk(plan, cut, network, go_on, observer);
  }
  FluidNetwork network(plan.links);
  return run_chunk(plan, cut, network, go_on, observer);
}

Duration CollectiveRun::local_copy(std::int64_t bytes) const {
  const std::int64_t copied = local_copy_bytes(scenario_.collective, bytes, communicator_.ranks());
  if (copied == 0) return {};
  return transfer_time(Bytes{copied}, communicator_.gpu_model().memory_copy);
}

Duration CollectiveRun::copy_alone(const Way& way, const SizeCut& cut, std::int64_t bytes) const {
  const Duration copy = local_copy(bytes);
  return copy > Duration{} ? launch(way, cut) + copy : Duration{};
}

void CollectiveRun::fill_rates(RunRow& row) const {
  const LowerBound bound = bounds_.of(Bytes{row.bytes});
  row.lower_bound = bound.time;
  row.lower_bound_reason = bound.reason;
  const double factor = busbw_factor(scenario_.collective, communicator_.ranks());
  row.algbw_gbs = gbytes_per_second(row.bytes, row.time);
  row.algbw_in_place_gbs = gbytes_per_second(row.bytes, row.time_in_place);
  row.busbw_gbs = row.algbw_gbs * factor;
  row.busbw_in_place_gbs = row.algbw_in_place_gbs * factor;
}

}  // namespace ringspan
