#include "validation/plan/plan_reading.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_plan(text, "p.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

const std::string kHead = "plan = 1\nranks = 4\n[[collective]]\n";

TEST(PlanReading, WhatIsLeftOutHasItsDefault) {
  const Plan plan = parse_plan(kHead + "collective = \"all_gather\"\nsize = \"64M\"\n", "p.toml");
  ASSERT_EQ(plan.collectives.size(), 1U);
  const PlannedCollective& item = plan.collectives.front();
  EXPECT_EQ(item.size.count, 64 << 20);
  EXPECT_EQ(ranks_of(plan, item), (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(item.dtype, "float");
  EXPECT_FALSE(item.algorithm);
  EXPECT_EQ(item.warmup, 1);
  EXPECT_EQ(item.iterations, 20);
  EXPECT_EQ(plan.repeats, 1);
}

TEST(PlanReading, CallsAtTheHeadAreThoseOfAllCollectives) {
  const Plan plan = parse_plan(
      "plan = 1\nranks = 2\nwarmup = 3\niterations = 5\n[[collective]]\ncollective = "
      "\"sendrecv\"\nsize = 8\n[[collective]]\ncollective = \"sendrecv\"\nsize = 16\n"
      "iterations = 7\n",
      "p.toml");
  EXPECT_EQ(plan.collectives[0].warmup, 3);
  EXPECT_EQ(plan.collectives[0].iterations, 5);
  EXPECT_EQ(plan.collectives[1].iterations, 7);
}

TEST(PlanReading, EveryMistakeHasItsPlace) {
  EXPECT_EQ(refusal("plan = 2\nranks = 4\n"),
            "p.toml:1:8: error: this is a plan of version 2\nhint: this program reads version 1");
  EXPECT_EQ(refusal("plan = 1\nranks = 4\n"),
            "p.toml:1:1: error: the plan has no [[collective]]\n"
            "hint: one [[collective]] for each, with `collective` and `size`");
  EXPECT_EQ(refusal(kHead + "collective = \"all_reduce\"\nsize = 8\nranks = \"2-5\"\n"),
            "p.toml:6:9: error: rank 5 of a plan of 4 ranks\nhint: ranks count from 0 to 3");
  EXPECT_EQ(refusal(kHead + "collective = \"all_gather\"\nsize = 8\nop = \"max\"\n"),
            "p.toml:6:6: error: 'op' has no meaning for all_gather\nhint: leave it out");
  EXPECT_EQ(refusal(kHead + "collective = \"all_gather\"\nsize = 8\nroot = 1\n"),
            "p.toml:6:8: error: 'root' has no meaning for all_gather\nhint: leave it out");
  EXPECT_EQ(refusal(kHead + "collective = \"all_gather\"\nsize = 8\ntogether = true\n"),
            "p.toml:6:12: error: there is no collective before the first one\nhint: leave it out");
  EXPECT_EQ(refusal(kHead + "collective = \"all_gather\"\nsize = 8\nalgorithm = \"rign\"\n"),
            "p.toml:6:13: error: unknown algorithm 'rign'\nhint: did you mean 'ring'?");
  EXPECT_EQ(refusal(kHead + "collective = \"all_gather\"\nsize = 8\ndtype = \"floot\"\n"),
            "p.toml:6:9: error: unknown data type 'floot'\nhint: did you mean 'float'?");
  EXPECT_NE(
      refusal(kHead + "collective = \"all_gather\"\nsize = 8\ngap = 3\n").find("p.toml:6:7: "),
      std::string::npos);
  EXPECT_NE(
      refusal(kHead + "collective = \"all_gather\"\nsize = 8\nsized = 3\n").find("p.toml:6:1: "),
      std::string::npos);
}

TEST(PlanReading, CollectivesAtOnceHaveTheSameCalls) {
  EXPECT_EQ(refusal(kHead + "collective = \"all_gather\"\nsize = 8\n[[collective]]\ncollective = "
                            "\"all_gather\"\nsize = 8\niterations = 3\ntogether = true\n"),
            "p.toml:10:12: error: collectives at once have the same warmup and iterations\n"
            "hint: give both the same, at the head of the plan");
}

// The example of docs/plans.md is a plan.
TEST(PlanReading, TheDocumentedExampleIsRead) {
  std::ifstream in(std::string(RINGSPAN_DOCS) + "/plans.md");
  const std::string page{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const std::size_t begin = page.find("```toml\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t text = begin + 8;
  const Plan plan = parse_plan(page.substr(text, page.find("```", text) - text), "plans.md");
  EXPECT_EQ(plan.collectives.size(), 3U);
}

}  // namespace
}  // namespace ringspan
