#include "validation/replay/replay_report.h"

#include <algorithm>
#include <set>

#include "models/cost/launch_mode.h"
#include "validation/replay/sample_statistics.h"

namespace ringspan {

std::string_view replay_timing_name(ReplayTiming timing) {
  return timing == ReplayTiming::Isolated ? "isolated" : "back-to-back";
}

double ReplayHalf::time_us() const { return sample_quantile(repeats_us, 0.5); }

std::int64_t ReplayReport::wrong() const {
  std::int64_t sum = 0;
  for (const ReplayRow& row : rows) {
    sum += row.out_of_place.wrong.value_or(0);
    if (row.in_place) sum += row.in_place->wrong.value_or(0);
  }
  return sum;
}

double replay_algbw_gbs(const ReplayRow& row, const ReplayHalf& half) {
  const double time = half.time_us();
  return time > 0 ? static_cast<double>(row.size.bytes) / time / 1e3 : 0;
}

double replay_busbw_gbs(const ReplayReport& report, const ReplayRow& row, const ReplayHalf& half) {
  const CollectiveKind kind = report.plan.collectives[row.planned].collective;
  return replay_algbw_gbs(row, half) * busbw_factor(kind, row.ranks);
}

int replay_hosts(const ReplayReport& report) {
  std::set<int> hosts;
  for (const ReplayRank& rank : report.ranks) hosts.insert(rank.host);
  return std::max(1, static_cast<int>(hosts.size()));
}

std::string replay_launch(const ReplayReport& report) {
  std::set<std::pair<int, int>> processes;
  for (const ReplayRank& rank : report.ranks) processes.emplace(rank.host, rank.process);
  const bool shared = processes.size() < report.ranks.size();
  return std::string(launch_mode_name(shared ? LaunchMode::SingleProcess : LaunchMode::Processes));
}

}  // namespace ringspan
