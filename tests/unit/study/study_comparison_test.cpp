#include "app/study/study_comparison.h"

#include <gtest/gtest.h>

#include "app/report/study_writers.h"
#include "tests/unit/study/study_fixture.h"

namespace ringspan {
namespace {

TEST(StudyComparison, ADesignAgainstItselfDiffersByNothing) {
  const StudyComparison comparison = compared(
      "title = \"t\"\n"
      "[[design]]\nname = \"a\"\nsystem = \"dgx-a100\"\nnodes = 2\n"
      "[[design]]\nname = \"b\"\nsystem = \"dgx-a100\"\nnodes = 2\n" +
      kAllReduce);
  for (const DesignRow& row : comparison.workloads[0].rows) {
    EXPECT_EQ(row.cells[0].seconds, row.cells[1].seconds);
    EXPECT_EQ(row.cells[1].ratio, 1);
    EXPECT_EQ(row.cells[1].efficiency, 1);
  }
  EXPECT_TRUE(comparison.workloads[0].crossovers.empty());
}

TEST(StudyComparison, HasTheTimesOfRun) {
  const StudyComparison comparison = compared(kTwoDesigns + kAllReduce);
  const Catalog catalog = builtin_catalog();
  RunScenario scenario;
  scenario.sizes = {Bytes{1 << 20}, Bytes{64 << 20}};
  const RunReport report = run_scenario(scenario, load_system(catalog, "dgx-a100"), catalog);
  for (std::size_t s = 0; s < 2; ++s) {
    const ComparedCell& cell = comparison.workloads[0].rows[s].cells[0];
    EXPECT_EQ(cell.point.time, report.rows[s].time);
    EXPECT_EQ(cell.point.bottleneck, report.rows[s].bottleneck);
  }
}

TEST(StudyComparison, APointIsThatOfItsCase) {
  const Catalog catalog = builtin_catalog();
  const StudyPlan plan = plan_study(parse_study(kTwoDesigns + kAllReduce, "s.toml"), catalog);
  const StudyCase& one = plan.cases[1];
  const CaseResult all = run_case(one, catalog);
  const CaseResult last = run_point(one, one.scenario.sizes[1], catalog);
  ASSERT_EQ(last.points.size(), 1U);
  EXPECT_EQ(last.points[0].time, all.points[1].time);
  EXPECT_EQ(last.points[0].algorithm, all.points[1].algorithm);
}

TEST(StudyComparison, TheBytesDoNotDependOnThreads) {
  const std::string text = kTwoDesigns + kAllReduce +
                           "[[workload]]\ncollective = \"alltoall\"\nsizes = [\"1M\", \"8M\"]\n";
  const StudyComparison one = compared(text, 1), three = compared(text, 3);
  EXPECT_EQ(study_json_text(one), study_json_text(three));
  EXPECT_EQ(page_text(study_page(one)), page_text(study_page(three)));
}

// 2 x all_reduce + 0.5 x alltoall, each as it is by itself.
TEST(StudyComparison, AMixIsTheWeightedSumOfItsParts) {
  const auto workload = [](const char* kind, const char* size) {
    return std::string("[[workload]]\ncollective = \"") + kind + "\"\nsizes = \"" + size + "\"\n";
  };
  const StudyComparison comparison =
      compared(kTwoDesigns + workload("all_reduce", "64M") + workload("alltoall", "8M") +
               "[[workload]]\nname = \"mix\"\n"
               "[[workload.part]]\ncollective = \"all_reduce\"\nsize = \"64M\"\nweight = 2\n"
               "[[workload.part]]\ncollective = \"alltoall\"\nsize = \"8M\"\nweight = 0.5\n");
  for (std::size_t d = 0; d < 2; ++d) {
    const auto seconds = [&](std::size_t workload_index) {
      return comparison.workloads[workload_index].rows[0].cells[d].seconds;
    };
    EXPECT_DOUBLE_EQ(seconds(2), 2 * seconds(0) + 0.5 * seconds(1));
  }
}

// On other servers than all on one: GPU 0 of each of two servers talk over the network.
TEST(StudyComparison, PlacementDecidesWhichGpusTakePart) {
  const StudyComparison comparison = compared(
      "title = \"t\"\n"
      "[[design]]\nname = \"near\"\nsystem = \"dgx-a100\"\nnodes = 2\nplacement = \"0-1\"\n"
      "[[design]]\nname = \"far\"\nsystem = \"dgx-a100\"\nnodes = 2\nplacement = \"0-8/8\"\n" +
      kAllReduce);
  EXPECT_EQ(comparison.designs[0].nodes, 1);
  EXPECT_EQ(comparison.designs[1].nodes, 2);
  EXPECT_EQ(comparison.designs[1].gpus, 2);
  EXPECT_GT(comparison.workloads[0].rows[1].cells[1].ratio, 1.5);
}

TEST(StudyPage, PrintsScalingByDefinition) {
  const StudyComparison comparison = compared(
      "title = \"t\"\n"
      "[[design]]\nname = \"one\"\nsystem = \"dgx-a100\"\ngpus = 1\n"
      "[[design]]\nname = \"four\"\nsystem = \"dgx-a100\"\ngpus = 4\n"
      "[[workload]]\nname = \"training\"\ntimes = { one = \"8 h\", four = \"3 h\" }\n");
  const ReportPage page = study_page(comparison);
  const std::vector<std::string> expected = {"training", "-",     "B",    "4",
                                             "3 h",      "2.67x", "67 %", "12"};
  EXPECT_EQ(page.sections[2].table.rows[1], expected);
}

TEST(StudyPage, NamesDesignsByLetters) {
  EXPECT_EQ(design_letter(0), "A");
  EXPECT_EQ(design_letter(25), "Z");
  EXPECT_EQ(design_letter(26), "AA");
  EXPECT_EQ(design_letter(27), "AB");
  EXPECT_EQ(design_letter(26 * 27), "AAA");
}

}  // namespace
}  // namespace ringspan
