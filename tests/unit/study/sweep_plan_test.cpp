#include "app/study/sweep_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/study/study_fixture.h"

namespace ringspan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kStudy =
    "title = \"t\"\n[[design]]\nname = \"a\"\nsystem = \"dgx-a100\"\n" + kAllReduce;

SweepPlan planned(const std::string& sweep) {
  return plan_sweep(parse_study(kStudy + sweep, "s.toml"), builtin_catalog());
}

std::string refusal(const std::string& sweep) {
  try {
    planned(sweep);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string axis(const std::string& key, const std::string& values) {
  return "[[sweep.axis]]\nkey = \"" + key + "\"\nvalues = " + values + "\n";
}

TEST(SweepPlan, TakesEveryCombinationTheLastAxisFastest) {
  const SweepPlan plan =
      planned(axis("nodes", "[1, 2]") + axis("protocol", "[\"ll\", \"simple\"]"));
  ASSERT_EQ(plan.cases.size(), 4U);
  EXPECT_EQ(plan.points, 8U);  // two sizes each
  EXPECT_THAT(plan.cases[1].one.axis_values, ElementsAre("1", "simple"));
  EXPECT_THAT(plan.cases[2].one.axis_values, ElementsAre("2", "ll"));
  EXPECT_EQ(plan.cases[2].first_point, 4U);
  EXPECT_EQ(plan.cases[2].one.scenario.nodes, 2);
  EXPECT_EQ(plan.cases[2].one.scenario.protocol, Protocol::LL);
}

TEST(SweepPlan, ZipsAxes) {
  const SweepPlan plan = planned("[sweep]\nmode = \"zip\"\n" + axis("nodes", "[1, 2]") +
                                 axis("size", "[\"1M\", \"2M\"]"));
  ASSERT_EQ(plan.cases.size(), 2U);
  EXPECT_THAT(plan.cases[1].one.axis_values, ElementsAre("2", "2M"));
  EXPECT_THAT(plan.cases[1].one.scenario.sizes, ElementsAre(Bytes{2 << 20}));
}

TEST(SweepPlan, MakesRanges) {
  EXPECT_THAT(parse_study(kStudy + axis("nodes", "{ from = 2, to = 8, step = 2 }"), "s.toml")
                  .sweep->axes[0]
                  .values,
              ElementsAre("2", "4", "6", "8"));
  EXPECT_THAT(parse_study(kStudy + axis("fabric.oversubscription",
                                        "{ from = 1, to = 8, factor = 2, unit = \":1\" }"),
                          "s.toml")
                  .sweep->axes[0]
                  .values,
              ElementsAre("1:1", "2:1", "4:1", "8:1"));
}

TEST(SweepPlan, RefusesBeforeAnythingRuns) {
  EXPECT_THAT(refusal(axis("nodes", "[]")), HasSubstr("s.toml:10:10: error: the list of values"));
  EXPECT_THAT(refusal(axis("nodes", "{ from = 1, to = 8, step = 0 }")),
              HasSubstr("a step of 0 never reaches the end"));
  EXPECT_THAT(refusal(axis("nodes", "{ from = 8, to = 1, step = 1 }")),
              HasSubstr("begins above its end"));
  EXPECT_THAT(refusal(axis("nods", "[1]")), HasSubstr("did you mean 'nodes'?"));
  EXPECT_THAT(refusal(axis("nodes", "[1, 0]")),
              HasSubstr("s.toml:10:14: error: nodes cannot be '0'"));
  EXPECT_THAT(refusal(axis("fabric.kind", "[\"ring\"]")),
              HasSubstr("s.toml:10:11: error: design 'a': "));
  EXPECT_THAT(refusal(axis("algorithm", "[\"ring\", \"nvls\"]")),
              HasSubstr("s.toml:10:19: error: dgx-a100: "));
  // 10,000 x 10,000 x 10,000 combinations of two sizes.
  const std::string many = "{ from = 1, to = 10000, step = 1 }";
  EXPECT_THAT(refusal(axis("nodes", many) + axis("seed", many) + axis("channels", many)),
              HasSubstr("the sweep has 2e+12 points"));
  EXPECT_THAT(refusal("[sweep]\nmode = \"zip\"\n" + axis("nodes", "[1, 2]") + axis("seed", "[1]")),
              HasSubstr("equally long"));
}

TEST(SweepPlan, TellsStudiesApart) {
  const SweepPlan one = planned(axis("seed", "[1]")), two = planned(axis("seed", "[2]"));
  EXPECT_NE(one.fingerprint, two.fingerprint);
  EXPECT_EQ(one.fingerprint, planned(axis("seed", "[1]")).fingerprint);
}

}  // namespace
}  // namespace ringspan
