#include "validation/calibration/folds.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string>

namespace ringspan {
namespace {

// `cases` cases of `sizes` rows each, size by size.
std::vector<MeasuredRow> rows_of(int cases, int sizes) {
  std::vector<MeasuredRow> rows;
  for (int size = 0; size < sizes; ++size) {
    for (int one = 0; one < cases; ++one) {
      MeasuredRow row;
      row.case_name = "case" + std::to_string(one);
      row.bytes = std::int64_t{8} << (sizes - size);
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<std::size_t> all_of(const std::vector<MeasuredRow>& rows) {
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(Folds, WholeCasesGoIntoOneFoldAndFoldsAreAlikeInSize) {
  const std::vector<MeasuredRow> rows = rows_of(12, 3);
  const std::vector<int> folds = deal_folds(rows, all_of(rows), 0);
  std::map<std::string, std::set<int>> of_case;
  std::map<int, std::set<std::string>> cases;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    of_case[rows[i].case_name].insert(folds[i]);
    cases[folds[i]].insert(rows[i].case_name);
  }
  for (const auto& [name, own] : of_case) EXPECT_EQ(own.size(), 1u) << name;
  // 12 cases in 5 folds: two of 3 and three of 2.
  ASSERT_EQ(cases.size(), 5u);
  for (const auto& [fold, own] : cases) EXPECT_TRUE(own.size() == 2 || own.size() == 3) << fold;
}

TEST(Folds, TheSeedDealsThem) {
  const std::vector<MeasuredRow> rows = rows_of(12, 1);
  EXPECT_EQ(deal_folds(rows, all_of(rows), 1), deal_folds(rows, all_of(rows), 1));
  EXPECT_NE(deal_folds(rows, all_of(rows), 1), deal_folds(rows, all_of(rows), 2));
}

TEST(Folds, FewCasesAreLeftOutOneByOne) {
  const std::vector<MeasuredRow> rows = rows_of(3, 2);
  const std::vector<int> folds = deal_folds(rows, all_of(rows), 0);
  EXPECT_EQ(std::set<int>(folds.begin(), folds.end()), (std::set<int>{0, 1, 2}));
}

TEST(Folds, OfASingleCaseEveryFifthSizeIsLeftOut) {
  // The largest size comes first.
  const std::vector<MeasuredRow> rows = rows_of(1, 7);
  EXPECT_EQ(deal_folds(rows, all_of(rows), 0), (std::vector<int>{1, 0, 4, 3, 2, 1, 0}));
}

}  // namespace
}  // namespace ringspan
