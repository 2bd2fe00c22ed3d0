#include "sim/network/simulation.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/network/fluid_network.h"
#include "tests/unit/network/flow_bench.h"

namespace ringspan {
namespace {

// Notes what it is called with; what it does is given by the test.
class Recorder : public Process {
 public:
  void on_start(Simulation& simulation) override { simulation.timer(microseconds(0), {0, 0}); }
  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event> timers,
                Simulation& simulation) override {
    times.push_back(now.time_since_epoch().count());
    flow_counts.push_back(flows.size());
    timer_counts.push_back(timers.size());
    for (const Event& timer : timers) {
      on_timer(timer.kind, simulation);
    }
  }
  bool finished() const override { return done; }
  std::string waiting() const override { return "rank 1 waits for rank 0"; }
  virtual void on_timer(std::uint32_t kind, Simulation& simulation) = 0;

  std::vector<std::int64_t> times;
  std::vector<std::size_t> flow_counts;
  std::vector<std::size_t> timer_counts;
  bool done = false;
};

const std::vector<std::uint32_t> kPath = {0};

// A timer at 0 sets one more at 0 and starts a flow; the second starts another flow.
class TwoSteps : public Recorder {
 public:
  void on_timer(std::uint32_t kind, Simulation& simulation) override {
    if (kind == 0) {
      simulation.timer(simulation.now(), {1, 0});
      simulation.timer(picoseconds(2'000), {2, 0});
    }
    if (kind != 2) {
      simulation.start(plain_flow(kind, 1'000, kPath));
    }
    done = kind == 2;
  }
};

TEST(Simulation, FlowsAndTimersOfOneInstantComeInOneCallAndSharesAreSolvedOnce) {
  // Both flows start at 0 and share 1 byte/ps: both end at 2,000, where a timer ends too.
  const std::vector<NetworkLink> links = {byte_per_ps(1)};
  FluidNetwork network(links);
  TwoSteps process;
  const SimulationEnd end = run(network, process);
  EXPECT_EQ(process.times, (std::vector<std::int64_t>{0, 0, 2'000}));
  EXPECT_EQ(process.flow_counts, (std::vector<std::size_t>{0, 0, 2}));
  EXPECT_EQ(process.timer_counts, (std::vector<std::size_t>{1, 1, 1}));
  EXPECT_EQ(end.reason, EndReason::Finished);
  EXPECT_EQ(end.end, kTimeZero + picoseconds(2'000));
  EXPECT_EQ(end.events, 5);
  EXPECT_EQ(network.events_processed(), 1);  // one group event ended both
}

class NeverDone : public Recorder {
 public:
  void on_timer(std::uint32_t, Simulation& simulation) override {
    simulation.start(plain_flow(0, 100, kPath));
  }
};

TEST(Simulation, ARunThatCannotGoOnSaysWhoWaitsForWhom) {
  const std::vector<NetworkLink> links = {byte_per_ps(1)};
  FluidNetwork network(links);
  NeverDone process;
  const SimulationEnd end = run(network, process);
  EXPECT_EQ(end.reason, EndReason::Stalled);
  EXPECT_EQ(end.waiting, "rank 1 waits for rank 0");
  EXPECT_EQ(end.end, kTimeZero + picoseconds(100));
}

class Endless : public Recorder {
 public:
  void on_timer(std::uint32_t, Simulation& simulation) override {
    simulation.timer(picoseconds(10), {0, 0});
  }
};

TEST(Simulation, StopsAtAnInstantOrWhenItIsTold) {
  const std::vector<NetworkLink> links = {byte_per_ps(1)};
  FluidNetwork network(links);
  Endless limited;
  StopCondition until;
  until.until = kTimeZero + picoseconds(35);
  EXPECT_EQ(run(network, limited, until).reason, EndReason::Until);
  EXPECT_EQ(limited.times, (std::vector<std::int64_t>{0, 10, 20, 30}));

  Endless told;
  int questions = 0;
  StopCondition check;
  check.events_between_checks = 5;
  check.keep_going = [&](const Simulation& simulation) {
    ++questions;
    return simulation.events() < 20;
  };
  const SimulationEnd end = run(network, told, check);
  EXPECT_EQ(end.reason, EndReason::Interrupted);
  EXPECT_EQ(end.events, 20);
  EXPECT_EQ(questions, 4);
}

}  // namespace
}  // namespace ringspan
