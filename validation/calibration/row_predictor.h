#pragma once

// Measured rows, predicted again and again with other constants: systems are read and questions
// asked once.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/scenario/scenario.h"
#include "models/cost/fabric_class.h"
#include "validation/logs/measured_row.h"

namespace ringspan {

// Asked now and then from the calling thread; false asks to stop.
using GoOn = std::function<bool()>;

// Some rows (ascending indices), and the constants to predict them with.
struct PredictorQuestion {
  Profile profile;
  std::vector<std::size_t> rows;
};

class RowPredictor {
 public:
  // Throws InputError that names every row which cannot be asked. Rows and catalog must outlive
  // this.
  RowPredictor(std::span<const MeasuredRow> rows, const Catalog& catalog, int threads);
  ~RowPredictor();

  std::size_t row_count() const { return rows_.size(); }
  FabricClass fabric_class(std::size_t row) const { return classes_[row]; }
  // The built-in profile that serves the GPUs of a row.
  const std::string& generation(std::size_t row) const { return generations_[row]; }

  // log(predicted / measured), by question, in the order of its rows; none at all: asked to stop.
  // The result does not depend on the threads.
  std::vector<std::vector<double>> residuals(std::span<const PredictorQuestion> questions,
                                             const GoOn& go_on) const;
  // The algorithm that each row is predicted with.
  std::vector<std::string> algorithms(const Profile& profile) const;

 private:
  struct Series;

  void find_generations();

  std::span<const MeasuredRow> rows_;
  const Catalog& catalog_;
  int threads_;
  std::vector<std::unique_ptr<Series>> series_;
  std::vector<FabricClass> classes_;
  std::vector<std::string> generations_;
};

}  // namespace ringspan
