#include "validation/calibration/fit_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "sim/base/version.h"
#include "validation/comparison/error_summary.h"

namespace ringspan {

namespace {

// Fewer say nothing about the tenth of rows that is furthest off.
constexpr std::size_t kLeastRows = 5;

std::vector<std::string> file_names(std::span<const MeasuredRow> rows) {
  std::vector<std::string> names;
  for (const MeasuredRow& row : rows) {
    std::string name = row.file.substr(row.file.find_last_of('/') + 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

int count_cases(std::span<const MeasuredRow> rows) {
  std::set<std::string> cases;
  for (const MeasuredRow& row : rows) cases.insert(row.case_name);
  return static_cast<int>(cases.size());
}

void extend(FittedRange& range, const MeasuredRow& row, const std::string& algorithm) {
  range.least = std::min(range.least, Bytes{row.bytes});
  range.most = std::max(range.most, Bytes{row.bytes});
  range.least_ranks = std::min(range.least_ranks, row.gpus);
  range.most_ranks = std::max(range.most_ranks, row.gpus);
  std::vector<std::string>& known = range.algorithms;
  const auto place = std::lower_bound(known.begin(), known.end(), algorithm);
  if (place == known.end() || *place != algorithm) known.insert(place, algorithm);
}

std::vector<FittedRange> ranges(std::span<const MeasuredRow> rows,
                                const std::vector<CalibratedRow>& calibrated) {
  std::map<std::pair<FabricClass, CollectiveKind>, FittedRange> ranges;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MeasuredRow& row = rows[i];
    const FabricClass fabric_class = calibrated[i].fabric_class;
    const FittedRange first{fabric_class,     row.collective, {},      Bytes{row.bytes},
                            Bytes{row.bytes}, row.gpus,       row.gpus};
    FittedRange& range = ranges.try_emplace({fabric_class, row.collective}, first).first->second;
    extend(range, row, calibrated[i].algorithm);
  }
  std::vector<FittedRange> list;
  for (auto& [key, range] : ranges) list.push_back(std::move(range));
  return list;
}

double to_thousandths(double factor) { return std::round(factor * 1000) / 1000; }

std::vector<ResidualRange> residuals(std::span<const MeasuredRow> rows,
                                     const std::vector<CalibratedRow>& calibrated) {
  struct Group {
    std::vector<double> factors;  // measured / predicted
    std::set<std::string> cases;
  };
  std::map<std::pair<FabricClass, SizeClass>, Group> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Group& group = groups[{calibrated[i].fabric_class, size_class_of(rows[i].bytes)}];
    group.factors.push_back(std::exp(-calibrated[i].left_out));
    group.cases.insert(rows[i].case_name);
  }
  std::vector<ResidualRange> list;
  for (auto& [key, group] : groups) {
    if (group.factors.size() < kLeastRows) continue;
    std::vector<double>& factors = group.factors;
    std::sort(factors.begin(), factors.end());
    const auto at = [&factors](double q) { return to_thousandths(quantile(factors, q)); };
    list.push_back({key.first, key.second, static_cast<int>(group.factors.size()),
                    static_cast<int>(group.cases.size()), at(0.1), at(0.5), at(0.9)});
  }
  return list;
}

}  // namespace

FitRecord fit_record(std::span<const MeasuredRow> rows, const Calibration& calibration,
                     const CalibrationOptions& options) {
  FitRecord record;
  record.date = options.date;
  record.tool = "ringspan " + std::string(kVersion);
  record.seed = options.seed;
  record.base = calibration.base;
  record.sources = file_names(rows);
  record.rows = static_cast<int>(rows.size());
  record.cases = count_cases(rows);
  for (const CalibratedConstant& constant : calibration.constants) {
    if (constant.used && !constant.fitted) record.undetermined.push_back(constant.parameter.path);
  }
  record.ranges = ranges(rows, calibration.rows);
  record.residuals = residuals(rows, calibration.rows);
  return record;
}

}  // namespace ringspan
