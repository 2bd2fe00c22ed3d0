#include "validation/replay/replay_run.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "models/collectives/datatype.h"

namespace ringspan {

namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// The times of one rank's calls.
struct OwnTimes {
  double mean = 0;
  std::vector<double> calls;
};

class ReplayRun {
 public:
  ReplayRun(ReplayReport& report, const ReplaySettings& settings, ReplayBackend& backend,
            const ReplayObserver& observer)
      : report_(report),
        settings_(settings),
        backend_(backend),
        observer_(observer),
        row_of_(report.plan.collectives.size()) {}

  void run() {
    const std::vector<PlanGroup> groups = plan_groups(report_.plan);
    for (int repeat = 0; repeat < report_.plan.repeats; ++repeat) {
      for (const PlanGroup& group : groups) {
        if (must_end()) return;
        add_rows(group);
        measure(group, false);
        if (settings_.in_place) measure(group, true);
        if (observer_(report_)) interrupted_ = true;
      }
    }
  }

 private:
  // One rank's opinion is that of all, so that none waits for another.
  bool must_end() {
    const bool late = settings_.budget && Clock::now() - begin_ > *settings_.budget;
    std::array<double, 2> reasons = {interrupted_ ? 1.0 : 0.0, late ? 1.0 : 0.0};
    backend_.most(reasons);
    if (reasons[0] > 0) report_.ended_early = "interrupted";
    if (reasons[1] > 0) report_.ended_early = "the time budget is used up";
    return reasons[0] > 0 || reasons[1] > 0;
  }

  void add_rows(PlanGroup group) {
    for (std::size_t i = group.first; i < group.end; ++i) {
      if (row_of_[i]) continue;
      const PlannedCollective& item = report_.plan.collectives[i];
      ReplayRow row;
      row.planned = i;
      row.ranks = static_cast<int>(item.ranks.empty() ? static_cast<std::size_t>(report_.plan.ranks)
                                                      : item.ranks.size());
      row.size = rounded_size(item.collective, item.size, dtype_size(item.dtype), row.ranks);
      if (settings_.in_place) row.in_place.emplace();
      row_of_[i] = report_.rows.size();
      report_.rows.push_back(std::move(row));
    }
  }

  ReplayHalf& half(std::size_t planned, bool in_place) {
    ReplayRow& row = report_.rows[*row_of_[planned]];
    return in_place ? *row.in_place : row.out_of_place;
  }

  void measure(PlanGroup group, bool in_place) {
    backend_.prepare(report_.plan, group, in_place);
    if (settings_.check && !half(group.first, in_place).wrong) check(group, in_place);
    const PlannedCollective& first = report_.plan.collectives[group.first];
    for (int i = 0; i < first.warmup; ++i) backend_.call();
    backend_.wait();
    const OwnTimes own = settings_.timing == ReplayTiming::Isolated ? isolated(first.iterations)
                                                                    : in_a_row(first.iterations);
    collect(group, in_place, own);
  }

  void check(PlanGroup group, bool in_place) {
    std::vector<double> wrong(group.end - group.first);
    const auto own = backend_.own_collective();
    const auto count = static_cast<double>(backend_.check());
    if (own) wrong[*own - group.first] = count;
    backend_.sum(wrong);
    for (std::size_t i = group.first; i < group.end; ++i) {
      half(i, in_place).wrong = static_cast<std::int64_t>(wrong[i - group.first]);
    }
  }

  Duration gap() const {
    const auto own = backend_.own_collective();
    return own ? report_.plan.collectives[*own].gap : Duration{};
  }

  OwnTimes in_a_row(int calls) {
    OwnTimes times;
    const Duration pause = gap();
    backend_.barrier();
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < calls; ++i) {
      if (pause > Duration{}) backend_.compute(pause);
      const Clock::time_point call = Clock::now();
      backend_.call();
      times.calls.push_back(microseconds_since(call));
    }
    backend_.wait();
    times.mean = microseconds_since(begin) / calls - to_microseconds(pause);
    return times;
  }

  OwnTimes isolated(int calls) {
    OwnTimes times;
    const Duration pause = gap();
    for (int i = 0; i < calls; ++i) {
      if (pause > Duration{}) backend_.compute(pause);
      backend_.barrier();
      const Clock::time_point call = Clock::now();
      backend_.call();
      backend_.wait();
      times.calls.push_back(microseconds_since(call));
    }
    return times;
  }

  // Of each collective of the group the ranks that take part.
  void collect(PlanGroup group, bool in_place, const OwnTimes& own) {
    const std::size_t count = group.end - group.first;
    const std::size_t calls = own.calls.size();
    std::vector<double> sums(2 * count);  // means, and how many ranks gave one
    std::vector<double> slowest(count * calls);
    if (const auto mine = backend_.own_collective()) {
      const std::size_t i = *mine - group.first;
      sums[i] = own.mean;
      sums[count + i] = 1;
      std::copy(own.calls.begin(), own.calls.end(),
                slowest.begin() + static_cast<std::ptrdiff_t>(i * calls));
    }
    backend_.sum(sums);
    backend_.most(slowest);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const double> of_calls(&slowest[i * calls], calls);
      ReplayHalf& result = half(group.first + i, in_place);
      result.calls_us.insert(result.calls_us.end(), of_calls.begin(), of_calls.end());
      const double mean =
          std::accumulate(of_calls.begin(), of_calls.end(), 0.0) / static_cast<double>(calls);
      const bool isolated = settings_.timing == ReplayTiming::Isolated;
      result.repeats_us.push_back(isolated ? mean : sums[i] / std::max(1.0, sums[count + i]));
    }
  }

  ReplayReport& report_;
  const ReplaySettings& settings_;
  ReplayBackend& backend_;
  const ReplayObserver& observer_;
  std::vector<std::optional<std::size_t>> row_of_;  // by planned collective
  Clock::time_point begin_ = Clock::now();
  bool interrupted_ = false;
};

}  // namespace

void run_replay(ReplayReport& report, const ReplaySettings& settings, ReplayBackend& backend,
                const ReplayObserver& observer) {
  ReplayRun(report, settings, backend, observer).run();
}

}  // namespace ringspan
