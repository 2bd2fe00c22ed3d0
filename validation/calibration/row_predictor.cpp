#include "validation/calibration/row_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/side_by_side.h"
#include "validation/comparison/comparison.h"
#include "validation/comparison/series_run.h"

namespace ringspan {

// The question of rows that differ in size only.
struct RowPredictor::Series {
  std::vector<std::size_t> rows;
  RunScenario scenario;
  std::shared_ptr<const System> system;

  // Rows that are asked for (ascending) and what a run says of them, by `visit(row, RunRow)`.
  template <typename Visit>
  void run(std::span<const MeasuredRow> all, std::span<const std::size_t> wanted,
           const Profile& profile, const Catalog& catalog, Visit visit) const;

 private:
  RunReport answer(const RunScenario& question, const MeasuredRow& first, std::size_t count,
                   const Catalog& catalog) const;
};

// What it refuses names its rows.
RunReport RowPredictor::Series::answer(const RunScenario& question, const MeasuredRow& first,
                                       std::size_t count, const Catalog& catalog) const {
  try {
    return run_scenario(question, *system, catalog);
  } catch (const InputError& error) {
    throw InputError(std::vector{problem_of_run(first, count, error.problems().front())});
  }
}

template <typename Visit>
void RowPredictor::Series::run(std::span<const MeasuredRow> all,
                               std::span<const std::size_t> wanted, const Profile& profile,
                               const Catalog& catalog, Visit visit) const {
  std::vector<std::size_t> asked;
  std::set_intersection(rows.begin(), rows.end(), wanted.begin(), wanted.end(),
                        std::back_inserter(asked));
  if (asked.empty()) return;
  RunScenario question = scenario;
  question.profile = profile;
  std::vector<Bytes>& sizes = question.sizes;
  for (const std::size_t row : asked) sizes.push_back(Bytes{all[row].bytes});
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  const RunReport report = answer(question, all[asked.front()], asked.size(), catalog);
  for (const std::size_t row : asked) {
    const auto size = std::lower_bound(sizes.begin(), sizes.end(), Bytes{all[row].bytes});
    const auto place = static_cast<std::size_t>(size - sizes.begin());
    if (place >= report.rows.size()) {
      throw InputError(SourcePosition{all[row].file, all[row].line, 0},
                       fmt::format("row {} stalls: {}", all[row].number, report.stalled));
    }
    visit(row, report.rows[place]);
  }
}

RowPredictor::RowPredictor(std::span<const MeasuredRow> rows, const Catalog& catalog, int threads)
    : rows_(rows),
      catalog_(catalog),
      threads_(threads),
      classes_(rows.size()),
      generations_(rows.size()) {
  const ComparisonOptions options;
  const SeriesContext context{rows, options, catalog};
  SystemCache systems(catalog);
  std::vector<InputProblem> problems;
  for (const MeasuredSeries& one : find_series(rows)) {
    PreparedSeries prepared = prepare_series(one, context, systems, problems);
    if (!prepared.system) continue;
    for (const std::size_t row : one.rows) classes_[row] = prepared.fabric_class;
    auto series = std::make_unique<Series>();
    series->rows = one.rows;
    series->scenario = std::move(prepared.question.scenario);
    series->scenario.granularity = Granularity::Stream;
    series->system = std::move(prepared.system);
    series_.push_back(std::move(series));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  find_generations();
}

RowPredictor::~RowPredictor() = default;

// As a run without --profile would choose. Finds out too whether the question can be asked.
void RowPredictor::find_generations() {
  std::vector<InputProblem> problems;
  for (const auto& series : series_) {
    RunScenario question = series->scenario;
    question.sizes.clear();
    try {
      const RunReport report = run_scenario(question, *series->system, catalog_);
      for (const std::size_t row : series->rows) generations_[row] = report.profile;
    } catch (const InputError& error) {
      problems.push_back(problem_of_run(rows_[series->rows.front()], series->rows.size(),
                                        error.problems().front()));
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::vector<std::vector<double>> RowPredictor::residuals(
    std::span<const PredictorQuestion> questions, const GoOn& go_on) const {
  const std::size_t tasks = series_.size() * questions.size();
  std::vector<std::vector<std::pair<std::size_t, double>>> answers(tasks);
  const auto task = [&](std::size_t t) {
    const PredictorQuestion& question = questions[t % questions.size()];
    series_[t / questions.size()]->run(
        rows_, question.rows, question.profile, catalog_,
        [&](std::size_t row, const RunRow& predicted) {
          const Duration time = std::max(predicted.time, picoseconds(1));
          answers[t].emplace_back(row, std::log(to_microseconds(time) / rows_[row].time_us));
        });
  };
  if (!run_side_by_side(tasks, threads_, task, go_on)) return {};
  std::vector<std::vector<double>> residuals;
  for (const PredictorQuestion& question : questions) residuals.emplace_back(question.rows.size());
  for (std::size_t t = 0; t < tasks; ++t) {
    const std::vector<std::size_t>& rows = questions[t % questions.size()].rows;
    for (const auto& [row, residual] : answers[t]) {
      const auto place = std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
      residuals[t % questions.size()][static_cast<std::size_t>(place)] = residual;
    }
  }
  return residuals;
}

std::vector<std::string> RowPredictor::algorithms(const Profile& profile) const {
  std::vector<std::string> algorithms(rows_.size());
  for (const auto& series : series_) {
    series->run(
        rows_, series->rows, profile, catalog_,
        [&](std::size_t row, const RunRow& predicted) { algorithms[row] = predicted.algorithm; });
  }
  return algorithms;
}

}  // namespace ringspan
