#include "app/report/run_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "models/workloads/collective_plan.h"
#include "models/workloads/stream_loads.h"

namespace ringspan {

namespace {

std::string channels_text(const std::vector<std::int32_t>& channels) {
  return fmt::format("channel{} {}", channels.size() == 1 ? "" : "s", fmt::join(channels, ", "));
}

// The indices of the largest values, largest first; of equal ones the lowest index.
std::vector<std::uint32_t> busiest(const std::vector<double>& values) {
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return values[a] > values[b]; });
  order.resize(std::min(order.size(), RunTrace::kMostLinks));
  return order;
}

// A class's rows are what one step puts on links. Of bursts they are the sum of all rounds, so that
// they fit a phase only where there is one of single blocks.
bool phases_tell_loads(const PlanOutline& outline, const StreamLoads& loads) {
  if (outline.classes.front().schedule->pacing() != Pacing::Messages) return true;
  const std::vector<RoundLoads>& rounds = loads.classes.front().rounds;
  return rounds.size() == 1 && rounds.front().repeat == 1 && rounds.front().blocks == 1;
}

}  // namespace

void RunTrace::share(const SharedPlans& plans) { shared_plans_ = &plans; }
void RunTrace::share(const SharedLoads& loads) { shared_loads_ = &loads; }

const std::vector<NetworkLink>& RunTrace::plan_links() const {
  return shared_plans_ != nullptr ? shared_plans_->links : plan_->links;
}

const std::vector<FabricResource>& RunTrace::plan_infos() const {
  return shared_plans_ != nullptr ? shared_plans_->infos : plan_->infos;
}

const std::vector<StreamLoads::Links>& RunTrace::loaded_links() const {
  return shared_loads_ != nullptr ? shared_loads_->links : loads_->links;
}

const ClusterPaths& RunTrace::paths() const {
  return shared_loads_ != nullptr ? *shared_loads_->paths : *loads_->paths;
}

void RunTrace::run_begins(const PlanInput& input, const PlanOutline& outline) {
  input_ = &input;
  outline_ = &outline;
  category_ = collective_name(input.spec.kind);
  servers_ = input.cluster->server_count();
}

void RunTrace::run_ends() {
  if (history_) close_history();
  if (loads_ != nullptr) close_phases();
  history_.reset();
  shared_plans_ = nullptr;
  shared_loads_ = nullptr;
  input_ = nullptr;
  outline_ = nullptr;
  plan_ = nullptr;
  loads_ = nullptr;
}

void RunTrace::slices_begin(const CollectivePlan& plan, std::size_t /*connections*/) {
  plan_ = &plan;
  history_.emplace(plan_links().size());
}

std::string RunTrace::ranks_text(const std::vector<std::int32_t>& ranks) const {
  const GpuPlace& place = input_->ranks[static_cast<std::size_t>(ranks.front())];
  const DomainKind& kind = input_->cluster->domain(place.domain);
  std::string text =
      input_->cluster->device_name(place.domain, kind.gpus[static_cast<std::size_t>(place.gpu)]);
  if (ranks.size() > 1) text += fmt::format(" and {} others", ranks.size() - 1);
  return text;
}

// Described when first used: an alltoall of 1,024 ranks has a million.
RunTrace::Connection& RunTrace::connection(std::uint32_t number, const Slice& slice) {
  const auto [known, added] = connections_.try_emplace(number);
  Connection& entry = known->second;
  if (!added) return entry;
  const PlannedEdge& edge = plan_->classes[slice.class_index].edges[slice.edge];
  const ChannelClass& channel_class = outline_->classes[slice.class_index];
  entry.from = ranks_text(edge.sources);
  entry.to = ranks_text(edge.destinations);
  entry.channels = channels_text(channel_class.channels);
  entry.rank = edge.sources.front();
  entry.server = input_->cluster->server_of(input_->ranks[static_cast<std::size_t>(entry.rank)]);
  entry.count = channel_class.count;
  entry.class_index = slice.class_index;
  entry.edge = slice.edge;
  return entry;
}

void RunTrace::slice_starts(Time now, std::uint32_t number, const Slice& slice) {
  outline_->classes[slice.class_index].schedule->transfer(slice.operation, transfer_);
  Bar bar;
  bar.connection = number;
  bar.reduces = transfer_.action == TransferAction::Reduce;
  bar.slice = slice.slice;
  bar.loop = slice.loop;
  bar.payload = slice.payload;
  bar.begin = now;
  connection(number, slice).under_way.emplace_back(bar, slice.wire);
}

void RunTrace::slice_sent(Time now, std::uint32_t number) {
  Connection& from = connections_.at(number);
  auto& [bar, wire] = from.under_way[from.sent++];
  bar.end = now;
  count_links(from, bar, wire);
}

void RunTrace::slice_arrived(Time now, std::uint32_t number) {
  Connection& from = connections_.at(number);
  Bar bar = from.under_way.front().first;
  from.under_way.erase(from.under_way.begin());
  --from.sent;
  bar.arrival = now;
  if (static_cast<std::int64_t>(bars_.size()) < most_events_) {
    bars_.push_back(bar);
  } else {
    ++left_out_;
  }
}

void RunTrace::count_links(const Connection& from, const Bar& bar, Bytes wire) {
  const TransferPath& path = plan_->classes[from.class_index].edges[from.edge].path;
  for (std::size_t i = 0; i < path.links.size(); ++i) {
    const double weight = path.weights.empty() ? 1.0 : path.weights[i];
    history_->add(path.links[i], bar.begin, bar.end, weight * static_cast<double>(wire.count));
  }
}

// Shares of an interval's capacity. A slice's bytes are spread evenly over its transmission though
// its rate may have changed meanwhile: what is over 1 by that is cut.
void RunTrace::close_history() {
  std::vector<double> load;
  for (std::size_t link = 0; link < history_->links(); ++link) {
    load.push_back(history_->total(link) / to_bytes_per_picosecond(plan_links()[link].rate));
  }
  for (const std::uint32_t link : busiest(load)) {
    if (load[link] <= 0) break;
    Counter counter{plan_infos()[link].name, {}};
    const double capacity = to_bytes_per_picosecond(plan_links()[link].rate) *
                            static_cast<double>(history_->interval().count());
    for (std::size_t i = 0; i <= history_->intervals(); ++i) {
      const double bytes = i < history_->intervals() ? history_->bytes(link, i) : 0;
      const double busy = std::min(1.0, bytes / capacity);
      if (!counter.busy.empty() && counter.busy.back().second == busy) continue;
      counter.busy.emplace_back(kTimeZero + history_->interval() * static_cast<std::int64_t>(i),
                                busy);
    }
    counters_.push_back(std::move(counter));
  }
}

void RunTrace::phases_begin(const StreamLoads& loads) { loads_ = &loads; }

void RunTrace::phase_done(const Phase& phase) {
  if (static_cast<std::int64_t>(phases_.size()) == most_events_) {
    ++left_out_;
    return;
  }
  phases_.push_back({phase, channels_text(outline_->classes[phase.class_index].channels)});
}

// Links that are alike carry alike: the first one's name stands for all of them.
void RunTrace::close_phases() {
  if (!phases_tell_loads(*outline_, *loads_)) return;
  std::vector<double> load(loaded_links().size(), 0);
  for (const PhaseBar& bar : phases_) {
    for (const ClassLoads::Row& row : loads_->classes[bar.phase.class_index].rows) {
      load[row.link] += row.load.load * bar.phase.steps * bar.phase.step_wire /
                        to_bytes_per_picosecond(loaded_links()[row.link].rate);
    }
  }
  for (const std::uint32_t link : busiest(load)) {
    if (load[link] <= 0) break;
    counters_.push_back(phase_counter(link, to_bytes_per_picosecond(loaded_links()[link].rate)));
  }
}

RunTrace::Counter RunTrace::phase_counter(std::uint32_t link, double rate) const {
  const StreamLoads::Links& alike = loaded_links()[link];
  Counter counter{paths().describe(alike.first).name, {}};
  if (alike.count > 1) counter.link += fmt::format(" (and {} alike)", alike.count - 1);
  // What begins and ends when: each change by its instant.
  std::map<Time, std::vector<std::pair<std::size_t, bool>>> changes;
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    if (phases_[p].phase.end == phases_[p].phase.begin) continue;
    changes[phases_[p].phase.begin].emplace_back(p, true);
    changes[phases_[p].phase.end].emplace_back(p, false);
  }
  std::map<std::size_t, double> under_way;  // bytes/ps, by phase
  for (const auto& [instant, here] : changes) {
    for (const auto& [p, begins] : here) {
      const Phase& phase = phases_[p].phase;
      under_way.erase(p);
      if (!begins) continue;
      for (const ClassLoads::Row& row : loads_->classes[phase.class_index].rows) {
        if (row.link != link) continue;
        under_way[p] += row.load.load * phase.steps * phase.step_wire /
                        static_cast<double>((phase.end - phase.begin).count());
      }
    }
    double sum = 0;
    for (const auto& [p, bytes] : under_way) sum += bytes;
    counter.busy.emplace_back(instant, std::min(1.0, sum / rate));
  }
  return counter;
}

}  // namespace ringspan
