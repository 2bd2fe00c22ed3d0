#include "validation/replay/replay_options.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

ReplayRequest read(std::vector<std::string> words, int ranks = 8) {
  return read_replay_request(words, ranks, false);
}

std::string refusal(std::vector<std::string> words, int ranks = 8) {
  try {
    read(std::move(words), ranks);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}

TEST(ReplayOptions, SizesAreThoseOfRun) {
  const ReplayRequest request =
      read({"all_reduce", "-b", "1K", "-e", "8K", "-n", "5", "--algo", "ring"});
  ASSERT_EQ(request.plan.collectives.size(), 4U);
  EXPECT_EQ(request.plan.collectives[3].size.count, 8192);
  EXPECT_EQ(request.plan.collectives[3].iterations, 5);
  EXPECT_EQ(request.plan.collectives[3].algorithm, "ring");
  EXPECT_EQ(request.plan.ranks, 8);
  EXPECT_EQ(request.settings.timing, ReplayTiming::BackToBack);
  EXPECT_TRUE(request.settings.check);
  EXPECT_TRUE(request.settings.in_place);
}

TEST(ReplayOptions, DefaultsAreEightBytesTo64MiB) {
  const ReplayRequest request = read({"all_reduce"});
  EXPECT_EQ(request.plan.collectives.front().size.count, 8);
  EXPECT_EQ(request.plan.collectives.back().size.count, 64 << 20);
}

TEST(ReplayOptions, CalibrationEndsAfterTwoMinutesUnlessToldOtherwise) {
  EXPECT_EQ(read({"--calibration"}).settings.budget, std::chrono::seconds(120));
  EXPECT_EQ(read({"--calibration", "--budget", "30s"}).settings.budget, std::chrono::seconds(30));
  EXPECT_EQ(refusal({"--calibration", "all_reduce"}),
            "error: 'all_reduce' does not go with --calibration\nhint: leave out one of them");
}

TEST(ReplayOptions, APlanForOtherRanksIsRefused) {
  const std::string file = testing::TempDir() + "/ringspan_plan.toml";
  std::ofstream(file) << "plan = 1\nranks = 4\nsystem = \"mine\"\n[[collective]]\ncollective = "
                         "\"alltoall\"\nsize = \"1M\"\n";
  EXPECT_EQ(read({"--plan", file}, 4).system, "mine");
  EXPECT_EQ(read({"--plan", file, "--system", "other"}, 4).system, "other");
  EXPECT_EQ(refusal({"--plan", file}),
            "error: the plan is for 4 ranks, and 8 run\nhint: start 4 ranks");
  EXPECT_EQ(refusal({"--plan", file, "-b", "8"}, 4),
            "error: -b does not go with --plan\nhint: leave out one of them");
}

TEST(ReplayOptions, MistakesAreNamed) {
  EXPECT_EQ(refusal({}),
            "error: no collective is given\nhint: give one, or --plan FILE, or --calibration");
  EXPECT_EQ(refusal({"all_reduce", "-n", "0"}),
            "error: -n: '0' is not possible\nhint: give a whole number from 1 to 1000000");
  EXPECT_EQ(refusal({"broadcast", "--root", "8"}),
            "error: --root: '8' is not possible\nhint: ranks are 0 to 7");
  EXPECT_EQ(refusal({"all_reduce", "-b", "2M", "-e", "1M"}),
            "error: the smallest size, -b, is above the largest, -e\nhint: give -b up to -e");
  EXPECT_EQ(refusal({"all_reduce", "--timing", "isolatd"}),
            "error: --timing: 'isolatd' is not possible\nhint: did you mean 'isolated'?");
  EXPECT_EQ(refusal({"all_reduce", "--algo", "rign"}),
            "error: --algo: unknown algorithm 'rign'\nhint: did you mean 'ring'?");
  EXPECT_EQ(refusal({"--calibration", "--format", "json"}),
            "error: --format json: nccl-tests' JSON has one collective over all ranks\n"
            "hint: give --format csv for this plan");
  EXPECT_NE(refusal({"all_reduce", "-g", "2"}).find("unknown option '-g'"), std::string::npos);
}

TEST(ReplayOptions, TheHelpNamesEveryOption) {
  const std::string page = replay_help("ringspan-replay-hosts", false);
  for (const char* option :
       {"-b MIN", "--plan FILE", "--calibration", "--timing HOW", "--output, -o FILE"}) {
    EXPECT_NE(page.find(option), std::string::npos) << option;
  }
  EXPECT_EQ(page.find("  -g N"), std::string::npos);
  EXPECT_TRUE(read({"--help"}).help);
}

}  // namespace
}  // namespace ringspan
