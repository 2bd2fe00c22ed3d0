#include "validation/comparison/series_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace ringspan {

namespace {

using Column = std::optional<MeasuredColumn>;

// The problem of a series, at a cell of its first row or of that row as a whole.
InputProblem series_problem(const MeasuredRow& first, std::size_t rows, Column column,
                            const InputProblem& cause) {
  std::string message = fmt::format("row {}", first.number);
  if (rows > 1) message += fmt::format(" and {} more of its series", rows - 1);
  InputProblem problem{{first.file, first.line, 0}, {}, cause.hint};
  if (column) {
    message += fmt::format(", column {}", measured_column_name(*column));
    problem.where = first.where(*column);
  }
  problem.message = message + ": " + cause.message;
  return problem;
}

// Whether `act` went well.
template <typename Act>
bool trying(const MeasuredRow& first, std::size_t rows, Column column,
            std::vector<InputProblem>& problems, Act act) {
  try {
    act();
    return true;
  } catch (const InputError& error) {
    problems.push_back(series_problem(first, rows, column, error.problems().front()));
    return false;
  }
}

// What a system that is known cannot be is as large as the row says.
MeasuredColumn column_of_system(const MeasuredRow& row, const Catalog& catalog) {
  const auto& names = catalog.system_names;
  if (std::find(names.begin(), names.end(), row.system) == names.end()) {
    return MeasuredColumn::System;
  }
  return row.nodes ? MeasuredColumn::Nodes : MeasuredColumn::Gpus;
}

// What is at fault where a known system of the right size cannot do it.
Column column_of_run(const MeasuredRow& row) {
  if (!row.algorithm.empty()) return MeasuredColumn::Algorithm;
  if (row.protocol) return MeasuredColumn::Protocol;
  return std::nullopt;
}

std::vector<Bytes> sizes_of(const std::vector<std::size_t>& series,
                            std::span<const MeasuredRow> rows) {
  std::vector<Bytes> sizes;
  for (const std::size_t row : series) sizes.push_back(Bytes{rows[row].bytes});
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

class SeriesRun {
 public:
  SeriesRun(const PreparedSeries& series, const SeriesContext& context)
      : series_(series), context_(context), scenario_(series.question.scenario) {}

  SeriesOutcome run(const std::function<bool()>& go_on) {
    const RunReport report = run_scenario(scenario_, *series_.system, context_.catalog,
                                          [&](const Progress&) { return go_on(); });
    SeriesOutcome outcome;
    outcome.stalled = report.stalled;
    const BaselineTimes baseline = baseline_times();
    for (const std::size_t index : series_.rows) {
      const MeasuredRow& row = context_.rows[index];
      const std::size_t place = place_of(Bytes{row.bytes});
      if (place >= report.rows.size()) continue;  // ended before
      ComparedRow compared{row, series_.fabric_class, prediction(report.rows[place])};
      if (baseline) compared.prediction.baseline = baseline(Bytes{report.rows[place].bytes});
      outcome.rows.emplace_back(index, std::move(compared));
    }
    return outcome;
  }

 private:
  BaselineTimes baseline_times() const {
    const auto& baseline = context_.options.baseline;
    return baseline ? baseline->make(scenario_, *series_.system, context_.catalog)
                    : BaselineTimes();
  }

  std::size_t place_of(Bytes size) const {
    const auto& sizes = scenario_.sizes;
    return static_cast<std::size_t>(std::lower_bound(sizes.begin(), sizes.end(), size) -
                                    sizes.begin());
  }

  static Prediction prediction(const RunRow& row) {
    Prediction prediction;
    prediction.time = row.time;
    prediction.algorithm = row.algorithm;
    prediction.protocol = row.protocol;
    prediction.channels = row.channels;
    prediction.bottleneck = row.bottleneck;
    prediction.extrapolated = row.extrapolated;
    prediction.interval = row.interval;
    return prediction;
  }

  const PreparedSeries& series_;
  const SeriesContext& context_;
  const RunScenario& scenario_;
};

}  // namespace

std::shared_ptr<const System> SystemCache::load(const MeasuredRow& row) {
  std::shared_ptr<const System>& system = systems_[{row.system, row.nodes.value_or(0), row.gpus}];
  if (!system) {
    const SystemSize size{row.nodes, row.gpus, 0};
    system = std::make_shared<const System>(load_system(catalog_, row.system, {}, size));
  }
  return system;
}

InputProblem problem_of_run(const MeasuredRow& first, std::size_t rows, const InputProblem& cause) {
  return series_problem(first, rows, column_of_run(first), cause);
}

PreparedSeries prepare_series(const MeasuredSeries& series, const SeriesContext& context,
                              SystemCache& systems, std::vector<InputProblem>& problems) {
  const MeasuredRow& first = context.rows[series.rows.front()];
  const std::size_t rows = series.rows.size();
  PreparedSeries prepared;
  prepared.rows = series.rows;
  std::shared_ptr<const System> system;
  RankPlaces places;
  const bool asked = trying(first, rows, MeasuredColumn::Dtype, problems,
                            [&] { prepared.question = scenario_of(first); }) &&
                     trying(first, rows, column_of_system(first, context.catalog), problems,
                            [&] { system = systems.load(first); }) &&
                     trying(first, rows, MeasuredColumn::Gpus, problems,
                            [&] { places = choose_ranks(*system, first.nodes, first.gpus); });
  if (!asked) return prepared;
  prepared.system = std::move(system);
  prepared.fabric_class = fabric_class_of(prepared.system->cluster, places.ranks);
  prepared.question.scenario.sizes = sizes_of(series.rows, context.rows);
  prepared.question.scenario.profile = context.options.profile;
  return prepared;
}

SeriesOutcome run_series(const PreparedSeries& series, const SeriesContext& context,
                         const std::function<bool()>& go_on) {
  const MeasuredRow& first = context.rows[series.rows.front()];
  SeriesOutcome outcome;
  std::vector<InputProblem> problems;
  trying(first, series.rows.size(), column_of_run(first), problems,
         [&] { outcome = SeriesRun(series, context).run(go_on); });
  outcome.problems = std::move(problems);
  return outcome;
}

}  // namespace ringspan
