#include "models/workloads/chunk_run.h"

#include <algorithm>
#include <vector>

#include "models/workloads/chunk_process.h"
#include "sim/network/simulation.h"

namespace ringspan {

RunResult run_chunk(const CollectivePlan& plan, const SizeCut& cut, NetworkModel& network,
                    const KeepGoing& keep_going, RunObserver* observer) {
  ChunkProcess process(plan, cut, observer);
  StopCondition stop;
  if (keep_going) {
    stop.keep_going = [&](const Simulation&) {
      return keep_going(static_cast<double>(process.delivered()) /
                        static_cast<double>(std::max<std::int64_t>(process.total(), 1)));
    };
  }
  const SimulationEnd end = run(network, process, stop);
  RunResult result;
  result.time = process.end() - kTimeZero;
  result.busy = process.busy();
  result.operations = process.delivered();
  result.events = end.events + network.events_processed();
  result.stalled = end.reason == EndReason::Stalled;
  result.waiting = end.waiting;
  result.interrupted = end.reason == EndReason::Interrupted;
  return result;
}

namespace {

// Bytes per operation for its dependencies, in three lists of 4-byte numbers, from a few operations
// spread over the schedule: a direct all_reduce has ranks - 1 of them on half of its operations.
std::int64_t dependency_bytes(const Schedule& schedule) {
  constexpr std::int64_t kSamples = 9;
  std::vector<OperationId> ids;
  std::int64_t most = 0;
  for (std::int64_t i = 0; i < kSamples; ++i) {
    if (schedule.operation_count() == 0) break;
    schedule.dependencies(i * (schedule.operation_count() - 1) / (kSamples - 1), ids);
    most = std::max(most, static_cast<std::int64_t>(ids.size()));
  }
  return 3 * 4 * most;
}

// Every two ranks at most, and where slices flow, a few connections a rank.
std::int64_t most_edges(const Schedule& schedule) {
  const std::int64_t n = schedule.ranks();
  const std::int64_t pairs = std::min(schedule.operation_count(), n * (n - 1));
  return schedule.pacing() == Pacing::Slices ? std::min(pairs, 4 * n) : pairs;
}

}  // namespace

std::int64_t chunk_memory_bytes(const PlanOutline& outline) {
  // Per operation: edge 4, blocks 8, two counters 8 each, offsets of seven lists 4 each.
  constexpr std::int64_t kBytesPerOperation = 64;
  constexpr std::int64_t kBytesPerConnection = 256;  // cursors, and a flow under way
  std::int64_t bytes = 0;
  for (const ChannelClass& channel_class : outline.classes) {
    const Schedule& schedule = *channel_class.schedule;
    bytes += schedule.operation_count() * (kBytesPerOperation + dependency_bytes(schedule)) +
             most_edges(schedule) * kBytesPerConnection;
  }
  return bytes;
}

}  // namespace ringspan
