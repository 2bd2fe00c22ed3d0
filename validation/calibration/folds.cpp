#include "validation/calibration/folds.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "sim/base/random.h"

namespace ringspan {

namespace {

constexpr std::size_t kMostFolds = 5;

std::vector<int> deal_sizes(std::span<const MeasuredRow> all, std::span<const std::size_t> rows) {
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all[rows[a]].bytes < all[rows[b]].bytes;
  });
  std::vector<int> folds(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    folds[order[i]] = static_cast<int>(i % kMostFolds);
  }
  return folds;
}

}  // namespace

std::vector<int> deal_folds(std::span<const MeasuredRow> all, std::span<const std::size_t> rows,
                            std::uint64_t seed) {
  std::vector<std::string_view> cases;
  for (const std::size_t row : rows) {
    const std::string_view name = all[row].case_name;
    if (std::find(cases.begin(), cases.end(), name) == cases.end()) cases.push_back(name);
  }
  if (cases.size() < 2) return deal_sizes(all, rows);
  Random(seed).shuffle(cases);
  const std::size_t count = std::min(kMostFolds, cases.size());
  std::map<std::string_view, int> fold_of;
  for (std::size_t i = 0; i < cases.size(); ++i) fold_of[cases[i]] = static_cast<int>(i % count);
  std::vector<int> folds;
  for (const std::size_t row : rows) folds.push_back(fold_of[all[row].case_name]);
  return folds;
}

}  // namespace ringspan
