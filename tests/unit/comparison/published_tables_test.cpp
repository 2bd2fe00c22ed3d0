// Published measurements, where they are there: RINGSPAN_MEASURED_DIR.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "validation/comparison/summary.h"
#include "validation/logs/read_log.h"

namespace ringspan {
namespace {

TEST(PublishedTables, EveryRowIsPredictedWithinAFactorOfTen) {
  const char* folder = std::getenv("RINGSPAN_MEASURED_DIR");
  if (folder == nullptr) GTEST_SKIP() << "RINGSPAN_MEASURED_DIR is not set";
  // Small tables of different kinds: two cards, Slingshot, TCP. All of them take half a minute.
  std::vector<std::string> files;
  for (const char* name : {"l4.csv", "gh200.csv", "h100-gcp.csv"}) {
    files.push_back((std::filesystem::path(folder) / name).string());
  }
  const LogContents logs = read_logs(files, {});
  ASSERT_TRUE(logs.problems.empty());
  const Comparison comparison = compare_measured(logs.rows, {}, builtin_catalog());
  EXPECT_TRUE(comparison.problems.empty());
  ASSERT_EQ(comparison.rows.size(), logs.rows.size());
  for (const ComparedRow& row : comparison.rows) {
    EXPECT_GT(row.error(), -0.9) << row.row.case_name << " " << row.row.bytes;
    EXPECT_LT(row.error(), 9.0) << row.row.case_name << " " << row.row.bytes;
  }
}

}  // namespace
}  // namespace ringspan
