#include "validation/plan/plan_writing.h"

#include <gtest/gtest.h>

#include "sim/base/version.h"
#include "validation/plan/plan_reading.h"

namespace ringspan {
namespace {

Plan two_collectives() {
  Plan plan;
  plan.system = "dgx-h100";
  plan.nodes = 1;
  plan.ranks = 8;
  plan.nccl = "2.28.9";
  plan.launch = "processes";
  PlannedCollective first;
  first.size = {1024};
  PlannedCollective second;
  second.collective = CollectiveKind::Reduce;
  second.size = {4096};
  second.dtype = "half";
  second.op = "max";
  second.root = 2;
  second.ranks = {0, 1, 2, 6};
  second.algorithm = "ring";
  second.protocol = Protocol::Simple;
  second.channels = 2;
  second.together = true;
  second.gap = microseconds(20);
  plan.collectives = {first, second};
  return plan;
}

TEST(PlanText, WhatHasItsDefaultIsLeftOut) {
  EXPECT_EQ(plan_text(two_collectives()), "# Collectives to simulate and to measure, by ringspan " +
                                              std::string(kVersion) +
                                              "; docs/plans.md.\n"
                                              "plan = 1\n"
                                              "system = \"dgx-h100\"\n"
                                              "nodes = 1\n"
                                              "ranks = 8\n"
                                              "nccl = \"2.28.9\"\n"
                                              "launch = \"processes\"\n"
                                              "repeats = 1\n"
                                              "\n"
                                              "[[collective]]\n"
                                              "collective = \"all_reduce\"\n"
                                              "size = 1024\n"
                                              "warmup = 1\n"
                                              "iterations = 20\n"
                                              "\n"
                                              "[[collective]]\n"
                                              "collective = \"reduce\"\n"
                                              "size = 4096\n"
                                              "dtype = \"half\"\n"
                                              "op = \"max\"\n"
                                              "root = 2\n"
                                              "ranks = \"0-2+6\"\n"
                                              "algorithm = \"ring\"\n"
                                              "protocol = \"simple\"\n"
                                              "channels = 2\n"
                                              "together = true\n"
                                              "gap = \"20 us\"\n"
                                              "warmup = 1\n"
                                              "iterations = 20\n");
}

TEST(PlanText, ReadBackItIsTheSamePlan) {
  const std::string text = plan_text(two_collectives());
  const Plan plan = parse_plan(text, "p.toml");
  EXPECT_EQ(plan_text(plan), text);
  ASSERT_EQ(plan.collectives.size(), 2U);
  EXPECT_EQ(plan.collectives[1].ranks, (std::vector<std::int32_t>{0, 1, 2, 6}));
  EXPECT_EQ(plan.collectives[1].gap, microseconds(20));
}

TEST(PlanGroups, CollectivesAtOnceAreOneGroup) {
  Plan plan = two_collectives();
  plan.collectives.push_back(plan.collectives.front());
  const std::vector<PlanGroup> groups = plan_groups(plan);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].end, 2U);
  EXPECT_EQ(groups[1].first, 2U);
  EXPECT_EQ(groups[1].end, 3U);
}

}  // namespace
}  // namespace ringspan
