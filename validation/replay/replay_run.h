#pragma once

// Runs a plan over a backend. Every rank runs it; all of them do the same in the same order.

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "validation/replay/replay_report.h"

namespace ringspan {

// What moves the data. A rank belongs to at most one collective of a group at once.
class ReplayBackend {
 public:
  virtual ~ReplayBackend() = default;

  // Ranks, communicators and buffers for the collectives [first, end) of the plan, which run at
  // once. `in_place`: the next calls are. Throws InputError, on every rank the same.
  virtual void prepare(const Plan& plan, PlanGroup group, bool in_place) = 0;
  // The collective of the group that this rank takes part in; absent: it waits.
  virtual std::optional<std::size_t> own_collective() const = 0;
  // Starts a call, and waits until all calls are done.
  virtual void call() = 0;
  virtual void wait() = 0;
  // Computes for so long, between calls.
  virtual void compute(Duration gap) = 0;
  virtual void barrier() = 0;
  // Fills this rank's input, runs one call, and counts what this rank got wrong.
  virtual std::int64_t check() = 0;

  // Over all ranks, element by element; every rank gets the result.
  virtual void sum(std::span<double> values) = 0;
  virtual void most(std::span<double> values) = 0;
};

struct ReplaySettings {
  ReplayTiming timing = ReplayTiming::BackToBack;
  bool check = true;
  bool in_place = true;
  std::optional<std::chrono::duration<double>> budget;  // then what is done is kept
};

// Told after every group, on every rank. True asks to stop: what is done is kept.
using ReplayObserver = std::function<bool(const ReplayReport&)>;

// Adds rows to `report`, whose plan is run; all other parts of it are kept. Throws what the backend
// throws.
void run_replay(ReplayReport& report, const ReplaySettings& settings, ReplayBackend& backend,
                const ReplayObserver& observer);

}  // namespace ringspan
