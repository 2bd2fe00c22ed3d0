#pragma once

// One series of measured rows, predicted: its system, its scenario with all its sizes, one run.

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/scenario/rank_places.h"
#include "validation/comparison/comparison.h"
#include "validation/comparison/measured_series.h"

namespace ringspan {

// Systems by name and size, each read once.
class SystemCache {
 public:
  explicit SystemCache(const Catalog& catalog) : catalog_(catalog) {}

  // Throws InputError.
  std::shared_ptr<const System> load(const MeasuredRow& row, const SystemOverrides& overrides = {});

 private:
  const Catalog& catalog_;
  std::map<std::tuple<std::string, int, int, SystemOverrides>, std::shared_ptr<const System>>
      systems_;
};

// What all series share.
struct SeriesContext {
  std::span<const MeasuredRow> rows;
  const ComparisonOptions& options;
  const Catalog& catalog;
};

// All that can be checked without a run.
struct PreparedSeries {
  std::vector<std::size_t> rows;  // that have no problem of their own
  SeriesScenario question;
  std::shared_ptr<const System> system;  // nullptr: there is a problem
  FabricClass fabric_class = FabricClass::NvlinkDomain;
  std::size_t uneven_rows = 0;  // whose size is no whole number of elements for each rank
};

struct SeriesOutcome {
  std::vector<std::pair<std::size_t, ComparedRow>> rows;  // with their indices
  std::vector<InputProblem> problems;
  std::string stalled;
};

// Of a series whose system is there, which a run refuses: at the cell that is at fault, else at the
// row. `first`: its first row; `rows`: how many it has.
InputProblem problem_of_run(const MeasuredRow& first, std::size_t rows, const InputProblem& cause);

// What cannot be asked goes to `problems`; never throws InputError.
PreparedSeries prepare_series(const MeasuredSeries& series, const SeriesContext& context,
                              SystemCache& systems, std::vector<InputProblem>& problems);

// Whether the question stands without its sizes; if not, the problem says why.
bool can_be_asked(const PreparedSeries& series, const SeriesContext& context,
                  std::vector<InputProblem>& problems);

// What cannot be predicted is among the problems; never throws InputError. Ends with what is done
// when `go_on` says false. Requires a system.
SeriesOutcome run_series(const PreparedSeries& series, const SeriesContext& context,
                         const std::function<bool()>& go_on);

}  // namespace ringspan
