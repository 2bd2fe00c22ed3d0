#include "app/report/explain_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report/number_text.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

template <typename... Arguments>
void line(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
  text += '\n';
}

constexpr std::size_t kLoadsShown = 8;

// NCCL's side of a candidate: "  NCCL 56.3 us (15.0 us, 80.6 GB/s)", or why it is barred.
std::string tuner_text(const Candidate& candidate) {
  if (!candidate.bar.empty()) return "  barred: " + candidate.bar;
  if (!candidate.tuner) return {};
  const TunerEstimate& tuner = *candidate.tuner;
  return fmt::format("  NCCL {:>10.1f} us ({:.1f} us, {:.1f} GB/s)", tuner.time_us,
                     tuner.latency_us, tuner.algbw_gbs);
}

}  // namespace

std::string size_text(double bytes) {
  return format_size(Bytes{static_cast<std::int64_t>(std::llround(bytes))});
}

std::string limit_text(const RunRow& row) {
  if (row.bottleneck_utilisation <= 0) return row.bottleneck;
  const std::string share = percent(row.bottleneck_utilisation);
  if (row.bottleneck == "latency") return fmt::format("latency (busiest resource {})", share);
  return fmt::format("{} ({} busy)", row.bottleneck, share);
}

void append_loads(const RunRow& row, std::string& text) {
  if (row.loads.empty()) return;
  text += "  busiest resources (one direction: bytes on the wire, rate, utilisation)\n";
  const std::size_t shown = std::min(row.loads.size(), kLoadsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const ResourceLoad& load = row.loads[i];
    line(text, "    {:>12} {:>12} {:>9}  {}", size_text(load.bytes), rate_text(load.rate),
         percent(load.utilisation), load.name);
  }
  if (shown < row.loads.size()) {
    line(text, "    and {} more, none above {}", row.loads.size() - shown,
         percent(row.loads[shown].utilisation));
  }
}

void append_candidates(const RunRow& row, std::string& text) {
  if (row.candidates.empty()) return;
  text +=
      "  candidates (predicted time; NCCL's estimate = latency + bytes / bandwidth, corrected)\n";
  const Candidate* picked = nullptr;
  const Candidate* best = &row.candidates.front();
  for (const Candidate& candidate : row.candidates) {
    line(text, "    {:<16} {:<7} {:3} channel{} {:>12}{}{}", candidate.algorithm,
         protocol_name(candidate.protocol), candidate.channels, candidate.channels == 1 ? " " : "s",
         time_text(candidate.predicted), tuner_text(candidate),
         candidate.picked ? "  <- picked" : "");
    if (candidate.picked) picked = &candidate;
    if (candidate.predicted < best->predicted) best = &candidate;
  }
  if (picked == nullptr || picked->predicted <= best->predicted) return;
  line(text, "    NCCL's pick is predicted to take {} % longer than {} with {}",
       significant(
           100 * (to_microseconds(picked->predicted) / to_microseconds(best->predicted) - 1), 3),
       best->algorithm, protocol_name(best->protocol));
}

void append_bound(const RunRow& row, std::string& text) {
  const std::string reason = row.lower_bound_reason.empty() ? "" : ": " + row.lower_bound_reason;
  const double bound = to_microseconds(row.lower_bound);
  const std::string ratio = bound > 0
                                ? fmt::format(", this run takes {} times that",
                                              significant(to_microseconds(row.time) / bound, 4))
                                : std::string{};
  line(text, "  lower bound     {}{}{}", time_text(row.lower_bound), ratio, reason);
}

}  // namespace ringspan
