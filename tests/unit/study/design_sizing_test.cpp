#include "app/study/design_sizing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/study/study_fixture.h"

namespace ringspan {
namespace {

using ::testing::HasSubstr;

const std::string kBooked = "title = \"t\"\nprice_book = \"published-2026-07\"\n";

TEST(EqualDesigns, GiveAllTheGpusOfTheFirst) {
  const StudyPlan plan =
      plan_study(parse_study("title = \"t\"\n[constraint]\nequal = \"gpus\"\n"
                             "[[design]]\nname = \"a\"\nsystem = \"gb200-nvl72\"\n"
                             "[[design]]\nname = \"b\"\nsystem = \"dgx-b200\"\n" +
                                 kAllReduce,
                             "s.toml"),
                 builtin_catalog());
  EXPECT_EQ(plan.designs[0].gpus, 72);
  EXPECT_EQ(plan.designs[1].gpus, 72);
  EXPECT_EQ(plan.designs[1].nodes, 9);
}

TEST(EqualDesigns, RefuseOtherNumbersOfGpus) {
  EXPECT_THAT(
      plan_refusal("title = \"t\"\n[constraint]\nequal = \"gpus\"\n"
                   "[[design]]\nname = \"a\"\nsystem = \"gb200-nvl72\"\n"
                   "[[design]]\nname = \"b\"\nsystem = \"dgx-b200\"\nnodes = 8\n" +
                   kAllReduce),
      HasSubstr("s.toml:10:9: error: design 'b' has 64 GPUs, and the study makes them equal: 72"));
}

// One more server would draw more than what is aimed at.
TEST(EqualDesigns, StayWithinThePowerByLessThanAUnit) {
  const auto plan = [](const std::string& nodes) {
    return plan_study(parse_study(kBooked +
                                      "[constraint]\nequal = \"power\"\npower = \"200 kW\"\n"
                                      "[[design]]\nname = \"b\"\nsystem = \"dgx-b200\"\n" +
                                      nodes + kAllReduce,
                                  "s.toml"),
                      builtin_catalog());
  };
  const PlannedDesign design = plan("").designs[0];
  EXPECT_LE(*design.cost->watts, 200e3);
  const Catalog catalog = builtin_catalog();
  DesignBuilder larger(catalog);
  StudyDesign more = design.design;
  more.nodes = *more.nodes + 1;
  EXPECT_GT(*larger.build(more).cost->watts, 200e3);
}

TEST(EqualDesigns, NeedTheFigures) {
  EXPECT_THAT(plan_refusal("title = \"t\"\n[constraint]\nequal = \"cost\"\n"
                           "[[design]]\nname = \"a\"\nsystem = \"dgx-h100\"\n" +
                           kAllReduce),
              HasSubstr("s.toml:6:10: error: design 'a': its cost is not known"));
  EXPECT_THAT(plan_refusal(kBooked +
                           "[constraint]\nequal = \"cost\"\ncost = \"5 USD\"\n"
                           "[[design]]\nname = \"a\"\nsystem = \"dgx-h100\"\n" +
                           kAllReduce),
              HasSubstr("'5 USD' is no cost per hour"));
  EXPECT_THAT(plan_refusal("title = \"t\"\nprice_book = \"no-such\"\n"
                           "[[design]]\nname = \"a\"\nsystem = \"dgx-h100\"\n" +
                           kAllReduce),
              HasSubstr("s.toml:2:14: error: unknown price book 'no-such'"));
}

}  // namespace
}  // namespace ringspan
