#include "models/workloads/ring_pace.h"

#include <algorithm>
#include <limits>

namespace ringspan {

RingPace::RingPace(std::span<const Edge> kinds, std::span<const std::uint32_t> walk, const Cut& cut)
    : kinds_(kinds),
      walk_(walk),
      cut_(cut),
      count_(kinds.size(), 0),
      transmission_(kinds.size(), 0) {
  for (const Edge& edge : kinds) {
    slowest_ = std::max(slowest_, edge.all);
    longest_latency_ = std::max(longest_latency_, edge.latency);
  }
  read(walk);
  find_transmissions();
}

void RingPace::read(std::span<const std::uint32_t> walk) {
  const std::size_t n = walk.size();
  for (std::size_t i = 0; i < n; ++i) {
    ++count_[walk[i]];
    const std::pair<std::uint32_t, std::uint32_t> both{walk[i], walk[i + 1 < n ? i + 1 : 0]};
    if (!neighbours_.empty() && neighbours_.back() == both) continue;
    if (std::find(neighbours_.begin(), neighbours_.end(), both) == neighbours_.end()) {
      neighbours_.push_back(both);
    }
  }
}

// Sets transmissions as they are where a step takes `period`; returns what a step then takes.
double RingPace::period_at(double period) {
  double sum = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const Edge& edge = kinds_[kind];
    const double others = cut_.slices * (edge.all - edge.own) / period;
    transmission_[kind] = others < 1 ? std::min(edge.all, edge.own / (1 - others)) : edge.all;
    sum += count_[kind] * (transmission_[kind] + edge.latency);
  }
  longest_slot_ = 0;
  for (const auto& [kind, next] : neighbours_) {
    longest_slot_ =
        std::max(longest_slot_, transmission_[kind] + kinds_[kind].latency + transmission_[next]);
  }
  const double held = cut_.window > 0 ? cut_.slots * longest_slot_ / cut_.window : 0;
  return std::max({cut_.slices * slowest_, sum / static_cast<double>(walk_.size()), held});
}

// The longer a step, the less its slices meet those of other rings, and the shorter it is: one
// period fits.
void RingPace::find_transmissions() {
  double low = period_at(std::numeric_limits<double>::infinity());
  double high = period_at(low);
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings && low < high; ++i) {
    const double middle = (low + high) / 2;
    (period_at(middle) > middle ? low : high) = middle;
  }
  period_at(high);
}

// The longest sum of `steps` consecutive crossings around the ring.
double RingPace::longest(std::int64_t steps) const {
  const auto crossing = [&](std::int64_t edge) {
    const std::uint32_t kind = walk_[static_cast<std::size_t>(edge)];
    return transmission_[kind] + kinds_[kind].latency;
  };
  const auto edges = static_cast<std::int64_t>(walk_.size());
  if (kinds_.size() == 1) return crossing(0) * static_cast<double>(steps);
  double around = 0;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    around += count_[kind] * (transmission_[kind] + kinds_[kind].latency);
  }
  const std::int64_t rest = steps % edges;
  double window = 0;
  for (std::int64_t i = 0; i < rest; ++i) window += crossing(i);
  double longest = window;
  for (std::int64_t i = 0; i < edges; ++i) {
    window += crossing((i + rest) % edges) - crossing(i);
    longest = std::max(longest, window);
  }
  return static_cast<double>(steps / edges) * around + longest;
}

double RingPace::walk_latency(std::int64_t steps) const {
  return steps > 0 ? longest(steps) / static_cast<double>(steps) - slowest_ : 0;
}

// The first `window` slices of an edge wait for nobody.
double RingPace::window_latency(std::int64_t steps) const {
  const double sent = static_cast<double>(steps * cut_.slots);  // by an edge
  if (cut_.window == 0 || sent <= cut_.window) return 0;
  return (sent - cut_.window) / sent * (cut_.slots * longest_slot_ / cut_.window - slowest_);
}

double RingPace::step_latency(std::int64_t steps) const {
  return std::max({0.0, walk_latency(steps), window_latency(steps)});
}

double RingPace::tail(std::int64_t steps) const {
  const double walk = walk_latency(steps - 1);
  const double held = window_latency(steps - 1);
  if (held > walk) return longest_latency_;
  const double behind = cut_.slices * slowest_;  // slice behind slice
  const double period = std::max(behind, slowest_ + std::max(0.0, walk));
  const double told = static_cast<double>(steps - 1) * period + behind;
  // The first slice walks all steps and the others follow; or the slowest edge is never idle.
  const double walked = longest(steps) + behind - slowest_;
  const double busy = static_cast<double>(steps) * behind + longest_latency_;
  return std::max({0.0, walked - told, busy - told});
}

}  // namespace ringspan
