#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/report/comparison_writers.h"

namespace ringspan {
namespace {

using testing::HasSubstr;
using testing::Not;

ComparedRow row(const char* case_name, std::int64_t bytes, int predicted_us) {
  ComparedRow row;
  row.row.system = "pair";
  row.row.gpus = 2;
  row.row.bytes = bytes;
  row.row.time_us = 100;
  row.row.case_name = case_name;
  row.prediction.time = microseconds(predicted_us);
  row.prediction.algorithm = "ring";
  row.prediction.bottleneck = "latency";
  return row;
}

Comparison sample() {
  Comparison comparison;
  comparison.rows_given = 3;
  comparison.rows = {row("x", 8, 110), row("y|z", 8 << 20, 70), row("x", 1024, 110)};
  return comparison;
}

Profile fitted() {
  Profile profile;
  profile.name = "mine";
  profile.fit.emplace();
  profile.fit->residuals = {{FabricClass::PcieServer, SizeClass::Large, 30, 4, 0.8, 1, 1.25}};
  return profile;
}

TEST(ComparisonMarkdown, HasTheErrorsUnderHeadings) {
  const Comparison comparison = sample();
  const std::string text = markdown_text(comparison, summarize(comparison, 1), {});
  EXPECT_THAT(text, HasSubstr("3 of 3 measured rows, the built-in profiles."));
  EXPECT_THAT(text, HasSubstr("\n## Rows\n\n| class | rows |"));
  EXPECT_THAT(text, HasSubstr("\n| nvlink-domain | 3 | 2 | 1 | 2 | 8 B to 8 MiB |\n"));
  // |error|: 0.1, 0.1 and 0.3, mean of +0.1, +0.1, -0.3; p90 is rank 1.8: 0.1 + 0.8 x 0.2.
  EXPECT_THAT(text, HasSubstr("\n| all | all | 3 | 10.0 % | 26.0 % | 30.0 % | -3.3 % |\n"));
  EXPECT_THAT(text, HasSubstr("\n| pair | all_reduce | 2 | 10.0 % / 10.0 % | +10.0 % | 1 | "
                              "30.0 % / 30.0 % | -30.0 % |\n"));
  EXPECT_THAT(text, HasSubstr("\n| y\\|z | pair | all_reduce | 2 | 1 | 30.0 % | - | "
                              "30.0 % / 30.0 % | -30.0 % |\n"));
  EXPECT_THAT(text, HasSubstr("\n## Worst rows\n"));
  for (const char* absent : {"## Beside", "## Intervals", "## Errors of unseen", "## Repeats"}) {
    EXPECT_THAT(text, Not(HasSubstr(absent)));
  }
}

TEST(ComparisonMarkdown, HasTheBaselineOnItsOwnRows) {
  Comparison comparison = sample();
  comparison.baseline = "nccl-model";
  comparison.rows[0].prediction.baseline = microseconds(80);
  const std::string text = markdown_text(comparison, summarize(comparison, 0), {});
  EXPECT_THAT(text, HasSubstr("\n## Beside nccl-model over rows\n"));
  EXPECT_THAT(text, HasSubstr("\n| all | all | 1 | 10.0 % / 10.0 % | +10.0 % | 20.0 % / 20.0 % | "
                              "-20.0 % |\n"));
}

// measured / predicted of 0.8 to 1.25 is an error of +25 % to -20 %.
TEST(ComparisonMarkdown, ShowsWhatTheFitsLeftOverAsErrors) {
  const Comparison comparison = sample();
  const std::vector<Profile> profiles = {fitted(), Profile{}};
  const std::string text = markdown_text(comparison, summarize(comparison, 0), profiles);
  EXPECT_THAT(text, HasSubstr("\n| mine | pcie-server | large | 30 | 4 | -20.0 % | +0.0 % | "
                              "+25.0 % |\n"));
}

}  // namespace
}  // namespace ringspan
