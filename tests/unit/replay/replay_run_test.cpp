// The order of a run, with a backend that only writes down what it is asked: it measures nothing.

#include "validation/replay/replay_run.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

class NotingBackend : public ReplayBackend {
 public:
  std::string notes;
  std::int64_t wrong = 0;
  int refuse_from = 1'000'000;  // prepare() of this planned collective throws

  void prepare(const Plan& /*plan*/, PlanGroup group, bool in_place) override {
    if (static_cast<int>(group.first) >= refuse_from) throw InputError("too large", "smaller");
    own_ = group.first;
    notes += in_place ? "i" : "p";
  }
  std::optional<std::size_t> own_collective() const override { return own_; }
  void call() override { notes += "c"; }
  void wait() override { notes += "w"; }
  void compute(Duration /*gap*/) override { notes += "g"; }
  void barrier() override { notes += "b"; }
  std::int64_t check() override {
    notes += "?";
    return wrong;
  }
  void sum(std::span<double> /*values*/) override {}
  void most(std::span<double> /*values*/) override {}

 private:
  std::optional<std::size_t> own_;
};

ReplayReport report_of(int collectives, int repeats = 1) {
  ReplayReport report;
  report.plan.ranks = 1;
  report.plan.repeats = repeats;
  for (int i = 0; i < collectives; ++i) {
    PlannedCollective item;
    item.size = {1024};
    item.warmup = 2;
    item.iterations = 3;
    report.plan.collectives.push_back(item);
  }
  return report;
}

bool go_on(const ReplayReport& /*report*/) { return false; }

TEST(ReplayRun, BackToBackHasOneBarrierAndOneWait) {
  ReplayReport report = report_of(1);
  NotingBackend backend;
  ReplaySettings settings;
  settings.in_place = false;
  run_replay(report, settings, backend, go_on);
  EXPECT_EQ(backend.notes, "p?ccwbcccw");
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].out_of_place.calls_us.size(), 3U);
  EXPECT_EQ(report.rows[0].out_of_place.repeats_us.size(), 1U);
  EXPECT_EQ(report.rows[0].out_of_place.wrong, 0);
  EXPECT_FALSE(report.rows[0].in_place);
}

TEST(ReplayRun, IsolatedHasABarrierBeforeEveryCall) {
  ReplayReport report = report_of(1);
  NotingBackend backend;
  ReplaySettings settings{ReplayTiming::Isolated, false, true, {}};
  run_replay(report, settings, backend, go_on);
  EXPECT_EQ(backend.notes, "pccwbcwbcwbcwiccwbcwbcwbcw");
  EXPECT_FALSE(report.rows[0].out_of_place.wrong);
}

TEST(ReplayRun, ResultsAreCheckedOnceAndRepeatsAreCollected) {
  ReplayReport report = report_of(2, 3);
  NotingBackend backend;
  backend.wrong = 5;
  ReplaySettings settings;
  settings.in_place = false;
  run_replay(report, settings, backend, go_on);
  EXPECT_EQ(std::count(backend.notes.begin(), backend.notes.end(), '?'), 2);
  EXPECT_EQ(report.rows[1].out_of_place.repeats_us.size(), 3U);
  EXPECT_EQ(report.wrong(), 10);
}

TEST(ReplayRun, GapsComeBeforeCallsAndAreNoPartOfTheTime) {
  ReplayReport report = report_of(1);
  report.plan.collectives[0].gap = microseconds(1000);
  NotingBackend backend;
  ReplaySettings settings;
  settings.in_place = false;
  run_replay(report, settings, backend, go_on);
  EXPECT_EQ(backend.notes, "p?ccwbgcgcgcw");
  // The gap is 1 ms by name only here, so that what is left is near -1 ms.
  EXPECT_LT(report.rows[0].out_of_place.time_us(), -900);
}

TEST(ReplayRun, WhoAsksToStopKeepsWhatIsDone) {
  ReplayReport report = report_of(3);
  NotingBackend backend;
  run_replay(report, {}, backend,
             [](const ReplayReport& so_far) { return so_far.rows.size() == 2; });
  EXPECT_EQ(report.rows.size(), 2U);
  EXPECT_EQ(report.ended_early, "interrupted");
}

TEST(ReplayRun, AUsedUpBudgetKeepsWhatIsDone) {
  ReplayReport report = report_of(3);
  NotingBackend backend;
  ReplaySettings settings;
  settings.budget = std::chrono::duration<double>(-1);
  run_replay(report, settings, backend, go_on);
  EXPECT_TRUE(report.rows.empty());
  EXPECT_EQ(report.ended_early, "the time budget is used up");
}

TEST(ReplayRun, ARefusalLeavesTheRowsBeforeIt) {
  ReplayReport report = report_of(3);
  NotingBackend backend;
  backend.refuse_from = 1;
  EXPECT_THROW(run_replay(report, {}, backend, go_on), InputError);
  ASSERT_GE(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].out_of_place.repeats_us.size(), 1U);
}

}  // namespace
}  // namespace ringspan
