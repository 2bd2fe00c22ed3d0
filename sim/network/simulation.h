#pragma once

// The driver loop: one clock, one queue of timers, one network model, one process.
//
// Batch rule: everything of one instant, from the network and from the timers, is collected and
// handed to the process in one call; the flows and timers it starts at that instant join the same
// instant, and shares are solved once, when the clock has to move on.

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "sim/base/units.h"
#include "sim/engine/event_queue.h"
#include "sim/network/network_model.h"

namespace ringspan {

// What a process may do to the simulation while it is called.
class Simulation {
 public:
  explicit Simulation(NetworkModel& network) : network_(network) {}

  Time now() const { return now_; }
  // Starts flows now. Path and weights are copied: they may go when the call returns.
  void start(const FlowStart& flow) { network_.start(now_, {&flow, 1}); }
  void start(std::span<const FlowStart> flows) { network_.start(now_, flows); }
  // `event` comes back in on_batch() at `at`, which is now or later. At `at` == now it comes in one
  // more call of the same instant.
  void timer(Time at, Event event);
  void timer(Duration after, Event event) { timer(now_ + after, event); }

  const NetworkModel& network() const { return network_; }
  // Flow events and timers handed to the process so far.
  std::int64_t events() const { return events_; }

 private:
  friend class SimulationLoop;
  NetworkModel& network_;
  EventQueue timers_;
  Time now_ = kTimeZero;
  std::int64_t events_ = 0;
};

class Process {
 public:
  virtual ~Process() = default;

  virtual void on_start(Simulation& simulation) = 0;
  // All that happened at `now`: flow events in the order their flows were started, then timers in
  // the order they were set.
  virtual void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event> timers,
                        Simulation& simulation) = 0;
  // Asked when nothing more can happen: false means that the run has stalled.
  virtual bool finished() const = 0;
  // Who waits for what, for the user; asked only after a stall.
  virtual std::string waiting() const = 0;
};

struct StopCondition {
  Time until = kNever;  // instants later than this are not run
  // Called once in about `events_between_checks` events, for progress and Ctrl-C; false stops.
  std::function<bool(const Simulation&)> keep_going;
  std::int64_t events_between_checks = 100'000;
};

enum class EndReason {
  Finished,     // nothing more to happen, and the process is done
  Stalled,      // nothing more to happen, but the process is not done
  Until,        // the next instant is later than StopCondition::until
  Interrupted,  // keep_going() said so
};

struct SimulationEnd {
  EndReason reason = EndReason::Finished;
  Time end = kTimeZero;      // the last instant at which the process was called
  std::int64_t events = 0;   // flow events and timers
  std::int64_t batches = 0;  // calls of on_batch()
  std::string waiting;       // the process's words, if stalled
};

SimulationEnd run(NetworkModel& network, Process& process, const StopCondition& stop = {});

}  // namespace ringspan
