#include "sim/network/simulation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/base/check.h"

namespace ringspan {

void Simulation::timer(Time at, Event event) {
  RINGSPAN_CHECK(at >= now_, "a timer must not lie in the past");
  timers_.push(at, event);
}

class SimulationLoop {
 public:
  SimulationLoop(NetworkModel& network, Process& process, const StopCondition& stop)
      : network_(network), process_(process), stop_(stop), simulation_(network) {}

  SimulationEnd run() {
    process_.on_start(simulation_);
    std::int64_t next_check = stop_.events_between_checks;
    for (;;) {
      const Time next = next_instant();
      if (next == kNever) {
        return nothing_left();
      }
      if (next > stop_.until) {
        return ended(EndReason::Until);
      }
      collect(next);
      if (simulation_.events_ >= next_check) {
        next_check = simulation_.events_ + stop_.events_between_checks;
        if (stop_.keep_going && !stop_.keep_going(simulation_)) {
          return ended(EndReason::Interrupted);
        }
      }
    }
  }

 private:
  // Timers of the present instant come before the network is asked: the question would solve its
  // shares although more flows may start at once.
  Time next_instant() {
    const Time timer = simulation_.timers_.next_time();
    return timer <= simulation_.now_ ? simulation_.now_ : std::min(timer, network_.next_event());
  }

  void collect(Time now) {
    flows_.clear();
    timers_.clear();
    simulation_.now_ = now;
    network_.advance(now, flows_);
    if (simulation_.timers_.next_time() == now) {
      simulation_.timers_.pop_all(timers_);
    }
    if (flows_.empty() && timers_.empty()) {
      return;  // something inside the network only
    }
    simulation_.events_ += static_cast<std::int64_t>(flows_.size() + timers_.size());
    ++end_.batches;
    end_.end = now;
    process_.on_batch(now, flows_, timers_, simulation_);
  }

  SimulationEnd nothing_left() {
    if (process_.finished()) {
      return ended(EndReason::Finished);
    }
    end_.waiting = process_.waiting();
    return ended(EndReason::Stalled);
  }

  SimulationEnd ended(EndReason reason) {
    end_.reason = reason;
    end_.events = simulation_.events_;
    return std::move(end_);
  }

  NetworkModel& network_;
  Process& process_;
  const StopCondition& stop_;
  Simulation simulation_;
  std::vector<FlowEvent> flows_;
  std::vector<Event> timers_;
  SimulationEnd end_;
};

SimulationEnd run(NetworkModel& network, Process& process, const StopCondition& stop) {
  return SimulationLoop(network, process, stop).run();
}

}  // namespace ringspan
