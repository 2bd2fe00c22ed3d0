#include "validation/comparison/series_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "models/collectives/datatype.h"

#include "app/scenario/nccl_settings.h"

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

// Rows whose size is a whole number of elements; the others are problems. Requires a data type that
// is known.
std::vector<std::size_t> whole_sizes(const std::vector<std::size_t>& series,
                                     std::span<const MeasuredRow> rows,
                                     std::vector<InputProblem>& problems) {
  std::vector<std::size_t> whole;
  for (const std::size_t index : series) {
    const MeasuredRow& row = rows[index];
    const int element = dtype_size(row.dtype);
    if (row.bytes % element == 0) {
      whole.push_back(index);
      continue;
    }
    InputProblem cause;
    cause.message = fmt::format("{} bytes are no whole number of elements of {}, {} bytes each",
                                row.bytes, row.dtype, element);
    cause.hint = "give nccl-tests' size column, or another dtype";
    problems.push_back(series_problem(row, 1, MeasuredColumn::Bytes, cause));
  }
  return whole;
}

std::size_t count_uneven(const std::vector<std::size_t>& series,
                         std::span<const MeasuredRow> rows) {
  const MeasuredRow& first = rows[series.front()];
  if (!collective_has_shares(first.collective)) return 0;
  const std::int64_t unit = std::int64_t{dtype_size(first.dtype)} * first.gpus;
  return static_cast<std::size_t>(
      std::count_if(series.begin(), series.end(),
                    [&](const std::size_t index) { return rows[index].bytes % unit != 0; }));
}

class SeriesRun {
 public:
  SeriesRun(const PreparedSeries& series, const SeriesContext& context, std::vector<Bytes> sizes)
      : series_(series), context_(context), scenario_(series.question.scenario) {
    scenario_.sizes = std::move(sizes);
  }

  SeriesOutcome run(const std::function<bool()>& go_on) {
    const RunReport report = run_scenario(scenario_, *series_.system, context_.catalog,
                                          [&](const Progress&) { return go_on(); });
    SeriesOutcome outcome;
    outcome.stalled = report.stalled;
    const BaselineTimes baseline = baseline_times();
    for (const std::size_t index : series_.rows) {
      const MeasuredRow& row = context_.rows[index];
      const std::size_t place = place_of(Bytes{row.bytes});
      if (place >= report.rows.size()) continue;                 // ended before
      if (scenario_.sizes[place] != Bytes{row.bytes}) continue;  // not asked for
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
  RunScenario scenario_;
};

}  // namespace

std::shared_ptr<const System> SystemCache::load(const MeasuredRow& row,
                                                const SystemOverrides& overrides) {
  std::shared_ptr<const System>& system =
      systems_[{row.system, row.nodes.value_or(0), row.gpus, overrides}];
  if (!system) {
    const SystemSize size{row.nodes, row.gpus, 0};
    system = std::make_shared<const System>(load_system(catalog_, row.system, overrides, size));
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
  std::shared_ptr<const System> system;
  RankPlaces places;
  const bool asked = trying(first, rows, MeasuredColumn::Dtype, problems,
                            [&] { prepared.question = scenario_of(first); }) &&
                     trying(first, rows, column_of_system(first, context.catalog), problems,
                            [&] {
                              system = systems.load(
                                  first, system_overrides(prepared.question.scenario.environment));
                            }) &&
                     trying(first, rows, MeasuredColumn::Gpus, problems,
                            [&] { places = choose_ranks(*system, first.nodes, first.gpus); });
  prepared.rows = series.rows;
  if (!asked) return prepared;
  prepared.rows = whole_sizes(series.rows, context.rows, problems);
  if (prepared.rows.empty()) return prepared;
  prepared.system = std::move(system);
  prepared.fabric_class = fabric_class_of(prepared.system->cluster, places.ranks);
  prepared.uneven_rows = count_uneven(prepared.rows, context.rows);
  RunScenario& scenario = prepared.question.scenario;
  scenario.sizes = sizes_of(prepared.rows, context.rows);
  scenario.rounds_shares = false;
  scenario.profile = context.options.profile;
  return prepared;
}

bool can_be_asked(const PreparedSeries& series, const SeriesContext& context,
                  std::vector<InputProblem>& problems) {
  const MeasuredRow& first = context.rows[series.rows.front()];
  return trying(first, series.rows.size(), column_of_run(first), problems,
                [&] { SeriesRun(series, context, {}).run([] { return true; }); });
}

SeriesOutcome run_series(const PreparedSeries& series, const SeriesContext& context,
                         const std::function<bool()>& go_on) {
  SeriesOutcome outcome;
  try {
    return SeriesRun(series, context, series.question.scenario.sizes).run(go_on);
  } catch (const InputError&) {
    // The series, or some of its sizes.
    if (!can_be_asked(series, context, outcome.problems)) return outcome;
  }
  for (const std::size_t index : series.rows) {
    const MeasuredRow& row = context.rows[index];
    PreparedSeries alone = series;
    alone.rows = {index};
    trying(row, 1, MeasuredColumn::Bytes, outcome.problems, [&] {
      SeriesOutcome one = SeriesRun(alone, context, {Bytes{row.bytes}}).run(go_on);
      std::move(one.rows.begin(), one.rows.end(), std::back_inserter(outcome.rows));
      if (outcome.stalled.empty()) outcome.stalled = std::move(one.stalled);
    });
  }
  return outcome;
}

}  // namespace ringspan
