#pragma once

// Simulated against measured: every measured row is predicted by the same run_scenario() that
// `ringspan run` uses, and the error is kept beside it. Code flow:
//   measured_series.h    rows that differ in size and time only are one RunScenario
//   series_run.h         one of them, run
//   compare_measured()   systems are read once each, series run side by side, rows keep their order
//   summary.h            median, p90, worst and bias per system and collective, per class, in all
// Writers are in app/report.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/scenario/scenario.h"
#include "models/cost/fabric_class.h"
#include "models/cost/prediction_interval.h"
#include "validation/comparison/baseline.h"
#include "validation/logs/measured_row.h"

namespace ringspan {

// What the simulator believes of one row.
struct Prediction {
  Duration time{};
  std::string algorithm;
  Protocol protocol = Protocol::Simple;
  int channels = 1;
  std::string bottleneck;
  bool extrapolated = true;
  std::optional<PredictionInterval> interval;
  std::optional<Duration> baseline;  // another predictor's time for the same row
};

// time / measured - 1.
double error_of(Duration time, const MeasuredRow& row);

struct ComparedRow {
  MeasuredRow row;
  FabricClass fabric_class = FabricClass::NvlinkDomain;
  Prediction prediction;

  double error() const { return error_of(prediction.time, row); }
};

struct ComparisonOptions {
  std::optional<Profile> profile;    // absent: that of each system's GPUs
  std::optional<Baseline> baseline;  // printed beside ours
  // Predicts what can be predicted although some rows cannot; else they end it before the first
  // run, as far as that can be known.
  bool keep_going = false;
  int threads = 1;  // at least 1; the result does not depend on it
};

struct Comparison {
  std::vector<ComparedRow> rows;  // those that could be predicted, in the order given
  std::size_t rows_given = 0;
  std::vector<InputProblem> problems;  // rows that could not, and why, in the order given
  std::vector<std::string> notes;
  std::vector<std::string> stalled;  // series that could not go on: who waits for what
  std::string profile;               // the one asked for; empty: each GPU generation's own
  std::string baseline;              // its name; empty: none
  bool interrupted = false;
};

struct MeasuredCheck {
  std::vector<MeasuredRow> rows;  // that can be asked
  std::vector<InputProblem> problems;
};

// What can be known without predicting a time: whether systems exist and are large enough, and data
// types, sizes and algorithms go together. `options.keep_going` has no meaning here.
MeasuredCheck check_measured(std::span<const MeasuredRow> rows, const ComparisonOptions& options,
                             const Catalog& catalog);

// Called now and then from the calling thread; false asks to stop: what is done is kept.
using ComparisonProgress = std::function<bool(std::size_t rows_done, std::size_t rows)>;

Comparison compare_measured(std::span<const MeasuredRow> rows, const ComparisonOptions& options,
                            const Catalog& catalog, const ComparisonProgress& progress = {});

}  // namespace ringspan
