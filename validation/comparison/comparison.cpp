#include "validation/comparison/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "validation/comparison/measured_series.h"
#include "validation/comparison/series_run.h"

namespace ringspan {

namespace {

// Series side by side on a few threads; each writes to a place of its own.
class ComparisonRun {
 public:
  ComparisonRun(std::span<const MeasuredRow> rows, const ComparisonOptions& options,
                const Catalog& catalog)
      : context_{rows, options, catalog} {}

  // Reads the systems and asks nothing yet: false where there are problems that end it all.
  bool prepare() {
    SystemCache systems(context_.catalog);
    for (const MeasuredSeries& one : find_series(context_.rows)) {
      series_.push_back(prepare_series(one, context_, systems, problems_));
    }
    outcomes_.resize(series_.size());
    return problems_.empty() || context_.options.keep_going;
  }

  void run(const ComparisonProgress& progress) {
    std::vector<std::jthread> threads;
    running_ = std::clamp(context_.options.threads, 1, static_cast<int>(series_.size()) + 1);
    for (int left = running_; left > 0; --left) threads.emplace_back([this] { work(); });
    watch(progress);
    threads.clear();
    if (failure_) std::rethrow_exception(failure_);
  }

  Comparison result() {
    Comparison comparison;
    comparison.rows_given = context_.rows.size();
    if (context_.options.profile) comparison.profile = context_.options.profile->name;
    if (context_.options.baseline) comparison.baseline = context_.options.baseline->name;
    comparison.interrupted = stop_.load();
    comparison.notes = notes();
    comparison.problems = std::move(problems_);
    std::vector<std::pair<std::size_t, ComparedRow>> rows;
    for (SeriesOutcome& outcome : outcomes_) {
      std::move(outcome.rows.begin(), outcome.rows.end(), std::back_inserter(rows));
      std::move(outcome.problems.begin(), outcome.problems.end(),
                std::back_inserter(comparison.problems));
      if (!outcome.stalled.empty()) comparison.stalled.push_back(std::move(outcome.stalled));
    }
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [index, row] : rows) comparison.rows.push_back(std::move(row));
    return comparison;
  }

 private:
  void work() {
    try {
      while (!stop_.load()) {
        const std::size_t next = next_.fetch_add(1);
        if (next >= series_.size()) break;
        if (series_[next].system) {
          outcomes_[next] = run_series(series_[next], context_, [this] { return !stop_.load(); });
        }
        rows_done_ += series_[next].rows.size();
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
    const std::scoped_lock lock(mutex_);
    --running_;
    finished_.notify_one();
  }

  // Until all threads have ended.
  void watch(const ComparisonProgress& progress) {
    constexpr std::chrono::milliseconds kBetween{50};
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, kBetween, [this] { return running_ == 0; })) {
      if (progress && !progress(rows_done_.load(), context_.rows.size())) stop_ = true;
    }
  }

  // Each once, with the number of rows that it is of.
  std::vector<std::string> notes() const {
    std::vector<std::pair<std::string, std::size_t>> counted;
    for (const PreparedSeries& series : series_) {
      for (const std::string& note : series.question.notes) {
        auto found = std::find_if(counted.begin(), counted.end(),
                                  [&](const auto& entry) { return entry.first == note; });
        if (found == counted.end()) found = counted.insert(found, {note, 0});
        found->second += series.rows.size();
      }
    }
    std::size_t uneven = 0;
    for (const PreparedSeries& series : series_) uneven += series.uneven_rows;
    if (uneven > 0) {
      counted.emplace_back("the size is no whole number of elements per rank: rounded down",
                           uneven);
    }
    std::vector<std::string> notes;
    for (const auto& [note, rows] : counted) {
      notes.push_back(fmt::format("note: {} ({} {})", note, rows, rows == 1 ? "row" : "rows"));
    }
    return notes;
  }

  SeriesContext context_;
  std::vector<PreparedSeries> series_;
  std::vector<SeriesOutcome> outcomes_;
  std::vector<InputProblem> problems_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> next_ = 0, rows_done_ = 0;
  std::mutex mutex_;
  std::condition_variable finished_;
  int running_ = 0;  // under mutex_, as failure_ is
  std::exception_ptr failure_;
};

}  // namespace

double error_of(Duration time, const MeasuredRow& row) {
  return to_microseconds(time) / row.time_us - 1;
}

MeasuredCheck check_measured(std::span<const MeasuredRow> rows, const ComparisonOptions& options,
                             const Catalog& catalog) {
  const SeriesContext context{rows, options, catalog};
  MeasuredCheck check;
  SystemCache systems(catalog);
  std::vector<std::size_t> good;
  for (const MeasuredSeries& one : find_series(rows)) {
    const PreparedSeries series = prepare_series(one, context, systems, check.problems);
    if (!series.system || !can_be_asked(series, context, check.problems)) continue;
    good.insert(good.end(), series.rows.begin(), series.rows.end());
  }
  std::sort(good.begin(), good.end());
  for (const std::size_t row : good) check.rows.push_back(rows[row]);
  return check;
}

Comparison compare_measured(std::span<const MeasuredRow> rows, const ComparisonOptions& options,
                            const Catalog& catalog, const ComparisonProgress& progress) {
  ComparisonRun run(rows, options, catalog);
  if (run.prepare()) run.run(progress);
  return run.result();
}

}  // namespace ringspan
