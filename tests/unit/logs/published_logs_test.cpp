// What is read from the published tables and logs, where they are there: RINGSPAN_MEASURED_DIR.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "validation/logs/read_log.h"

namespace ringspan {
namespace {

namespace fs = std::filesystem;

class PublishedLogs : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("RINGSPAN_MEASURED_DIR");
    if (folder == nullptr) GTEST_SKIP() << "RINGSPAN_MEASURED_DIR is not set";
    tables_ = folder;
    samples_ = tables_ / ".." / "samples";
  }
  fs::path tables_, samples_;
};

TEST_F(PublishedLogs, EveryTableIsReadWithoutAProblem) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(tables_)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  const LogContents contents = read_logs(files, {});
  for (const InputProblem& problem : contents.problems) ADD_FAILURE() << format_problem(problem);
  EXPECT_TRUE(contents.notes.empty());
  std::set<std::string> cases;
  for (const MeasuredRow& row : contents.rows) cases.insert(row.case_name);
  // The tables' own README: 2,213 rows of 113 cases.
  EXPECT_EQ(contents.rows.size(), 2213u);
  EXPECT_EQ(cases.size(), 113u);
}

TEST_F(PublishedLogs, RealLogsOfNcclTestsAreRead) {
  const std::vector<std::string> files = {(samples_ / "nccl_tests_a100_2.log").string(),
                                          (samples_ / "nccl_tests_a100_16.log").string()};
  const LogContents contents = read_logs(files, {"dgx-a100", std::nullopt});
  for (const InputProblem& problem : contents.problems) ADD_FAILURE() << format_problem(problem);
  // 8 B to 1 GiB and 1 KiB to 16 GiB, by factors of two.
  ASSERT_EQ(contents.rows.size(), 28u + 25u);
  const MeasuredRow& first = contents.rows.front();
  EXPECT_EQ(first.collective, CollectiveKind::AllReduce);
  EXPECT_EQ(first.nodes, 1);
  EXPECT_EQ(first.gpus, 2);
  EXPECT_EQ(first.launch, "single-process");
  EXPECT_EQ(first.time_us, 8.65);
  const MeasuredRow& last = contents.rows.back();
  EXPECT_EQ(last.collective, CollectiveKind::AllReduce);
  EXPECT_EQ(last.nodes, 2);
  EXPECT_EQ(last.gpus, 16);
  EXPECT_EQ(last.launch, "processes");
  EXPECT_EQ(last.bytes, std::int64_t{16} << 30);
  EXPECT_EQ(last.time_us, 251757);
}

}  // namespace
}  // namespace ringspan
