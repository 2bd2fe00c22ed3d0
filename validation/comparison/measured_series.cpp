#include "validation/comparison/measured_series.h"

#include <fmt/format.h>

#include <map>

#include "app/scenario/nccl_settings.h"
#include "models/collectives/datatype.h"
#include "models/collectives/nccl_version.h"
#include "models/nccl/nccl_environment.h"
#include "models/nccl/version_note.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

std::string identity(const MeasuredRow& row) {
  std::string text;
  const auto cells = measured_cells(row);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto column = static_cast<MeasuredColumn>(i);
    if (column == MeasuredColumn::Bytes || column == MeasuredColumn::TimeUs) continue;
    text += cells[i];
    text += '\n';
  }
  return text;
}

// The columns win over the environment: they say what was forced.
void apply_environment(const MeasuredRow& row, SeriesScenario& series) {
  const NcclEnvironment settings = read_nccl_environment(row.env);
  series.notes.insert(series.notes.end(), settings.notes.begin(), settings.notes.end());
  for (std::string& note : settings_without_effect(settings)) {
    series.notes.push_back(std::move(note));
  }
  series.scenario.environment = settings;
}

void apply_version(const MeasuredRow& row, SeriesScenario& series) {
  if (row.nccl.empty()) return;
  try {
    // "2.21.5+cuda12.4", as NCCL prints it.
    const NcclVersion version = parse_nccl_version(row.nccl.substr(0, row.nccl.find('+')));
    series.scenario.nccl = modelled_nccl_version(version);
    std::string note = nccl_version_note(version);
    if (!note.empty()) series.notes.push_back(std::move(note));
  } catch (const InputError&) {
    series.notes.push_back(fmt::format("NCCL version {} is not used: predicted for the newest one",
                                       quote_text(row.nccl)));
  }
}

void apply_launch(const MeasuredRow& row, SeriesScenario& series) {
  if (row.launch.empty()) return;
  try {
    series.scenario.launch = launch_mode_from_name(row.launch);
  } catch (const InputError&) {
    series.notes.push_back(
        fmt::format("launch mode {} is taken as processes", quote_text(row.launch)));
  }
}

}  // namespace

std::vector<MeasuredSeries> find_series(std::span<const MeasuredRow> rows) {
  std::vector<MeasuredSeries> series;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [entry, is_new] = known.emplace(identity(rows[i]), series.size());
    if (is_new) series.emplace_back();
    series[entry->second].rows.push_back(i);
  }
  return series;
}

SeriesScenario scenario_of(const MeasuredRow& row) {
  SeriesScenario series;
  RunScenario& scenario = series.scenario;
  scenario.collective = row.collective;
  scenario.nodes = row.nodes;
  scenario.gpus = row.gpus;
  dtype_size(row.dtype);
  scenario.dtype = row.dtype;
  if (!row.algorithm.empty()) scenario.algorithm = row.algorithm;
  scenario.protocol = row.protocol;
  apply_version(row, series);
  apply_launch(row, series);
  apply_environment(row, series);
  return series;
}

}  // namespace ringspan
