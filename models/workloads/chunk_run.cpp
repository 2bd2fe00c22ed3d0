#include "models/workloads/chunk_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/workloads/operation_graph.h"
#include "sim/base/check.h"
#include "sim/network/simulation.h"

namespace ringspan {

namespace {

// A place in the sequence of slices of a connection: loop by loop, operation by operation.
struct Cursor {
  std::int64_t loop = 0;
  std::uint32_t position = 0;  // in OperationGraph::of_connection()
  int slice = 0;
  std::int64_t passed = 0;  // slices before it
};

struct Connection {
  std::uint32_t class_index = 0;
  std::uint32_t number = 0;  // in the class's graph
  std::uint32_t edge = 0;
  bool busy = false;  // transmitting
  Cursor next;        // to be sent
  Cursor arriving;    // to arrive
  Cursor oldest;      // to be consumed
};

class ChunkProcess final : public Process {
 public:
  ChunkProcess(const CollectivePlan& plan, const SizeCut& cut, RunObserver* observer)
      : plan_(plan), cut_(cut), observer_(observer) {
    for (std::size_t c = 0; c < plan.classes.size(); ++c) {
      first_connection_.push_back(static_cast<std::uint32_t>(connections_.size()));
      graphs_.emplace_back(*plan.outline->classes[c].schedule, plan.classes[c]);
      arrived_.emplace_back(graphs_.back().size(), 0);
      sent_.emplace_back(graphs_.back().size(), 0);
      for (std::uint32_t k = 0; k < graphs_.back().connections(); ++k) {
        connections_.push_back(
            {static_cast<std::uint32_t>(c), k, graphs_.back().edge_of(k), false, {}, {}, {}});
      }
      const std::int64_t per_operation = (cut.loops - 1) * cut.slices + cut.last_slices;
      total_ += graphs_.back().size() * per_operation;
    }
  }

  void on_start(Simulation& simulation) override {
    if (observer_ != nullptr) observer_->slices_begin(plan_, connections_.size());
    for (std::uint32_t c = 0; c < connections_.size(); ++c) try_send(c, simulation);
  }

  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event> /*timers*/,
                Simulation& simulation) override {
    for (const FlowEvent& event : flows) {
      if (event.kind == FlowEventKind::Sent) {
        on_sent(event.tag, simulation);
      } else {
        end_ = now;
        on_arrived(event.tag, simulation);
      }
    }
  }

  bool finished() const override { return delivered_ == total_; }

  // Names the first connection that is held up, and what it waits for.
  std::string waiting() const override {
    for (const Connection& connection : connections_) {
      if (at_end(connection, connection.next)) continue;
      const PlannedEdge& edge = plan_.classes[connection.class_index].edges[connection.edge];
      const char* reason = !has_room(connection) ? "room in the receiver's buffer"
                                                 : "data from an earlier operation";
      return fmt::format("rank {} waits to send to rank {}: {} (loop {}, slice {})",
                         edge.sources.front(), edge.destinations.front(), reason,
                         connection.next.loop, connection.next.slice);
    }
    return "all slices are sent, not all have arrived";
  }

  Time end() const { return end_; }
  std::int64_t delivered() const { return delivered_; }
  std::int64_t total() const { return total_; }

 private:
  const OperationGraph& graph(const Connection& c) const { return graphs_[c.class_index]; }
  std::uint32_t operation(const Connection& c, const Cursor& at) const {
    return graph(c).of_connection(c.number)[at.position];
  }
  int slices_in(std::int64_t loop) const {
    return loop + 1 == cut_.loops ? cut_.last_slices : cut_.slices;
  }
  // The number of slices of one operation up to and including the cursor's.
  std::int64_t ordinal(const Cursor& at) const { return at.loop * cut_.slices + at.slice + 1; }

  bool at_end(const Connection& c, const Cursor& at) const {
    return at.loop == cut_.loops || graph(c).of_connection(c.number).empty();
  }

  void step(const Connection& c, Cursor& at) const {
    ++at.passed;
    if (++at.slice < slices_in(at.loop)) return;
    at.slice = 0;
    if (++at.position < graph(c).of_connection(c.number).size()) return;
    at.position = 0;
    ++at.loop;
  }

  bool has_room(const Connection& c) const {
    return cut_.window == 0 || c.next.passed - c.oldest.passed < cut_.window;
  }

  bool data_is_there(const Connection& c) const {
    const std::int64_t wanted = ordinal(c.next);
    const auto& arrived = arrived_[c.class_index];
    for (const std::uint32_t d : graph(c).dependencies(operation(c, c.next))) {
      if (arrived[d] < wanted) return false;
    }
    if (c.next.loop == 0) return true;
    for (const std::uint32_t d : graph(c).loop_dependencies(operation(c, c.next))) {
      if (arrived[d] < wanted - cut_.slices) return false;
    }
    return true;
  }

  std::int64_t payload(const Connection& c, const Cursor& at) const {
    const bool last_loop = at.loop + 1 == cut_.loops;
    const std::int64_t chunk = last_loop ? cut_.last_chunk : cut_.chunk_payload;
    const std::int64_t slice = last_loop ? cut_.last_slice : cut_.slice_payload;
    const std::int64_t begin = at.slice * slice;
    return std::min(slice, chunk - begin) * graph(c).blocks(operation(c, at));
  }

  void try_send(std::uint32_t index, Simulation& simulation) {
    Connection& c = connections_[index];
    if (c.busy || at_end(c, c.next) || !has_room(c) || !data_is_there(c)) return;
    const TransferPath& path = plan_.classes[c.class_index].edges[c.edge].path;
    FlowStart flow;
    flow.tag = index;
    flow.size = wire_bytes(plan_.protocol, Bytes{payload(c, c.next)});
    flow.links = path.links;
    flow.weights = path.weights;
    flow.stages = path.stages;
    flow.extra_latency = path.latency;
    flow.notify_sent = true;
    c.busy = true;
    if (observer_ != nullptr) report_start(index, flow.size, simulation.now());
    simulation.start(flow);
  }

  void report_start(std::uint32_t index, Bytes wire, Time now) {
    const Connection& c = connections_[index];
    observer_->slice_starts(now, index,
                            {c.class_index, c.edge, operation(c, c.next), c.next.loop, c.next.slice,
                             payload(c, c.next), wire});
  }

  void on_sent(std::uint32_t index, Simulation& simulation) {
    if (observer_ != nullptr) observer_->slice_sent(simulation.now(), index);
    Connection& c = connections_[index];
    const std::uint32_t op = operation(c, c.next);
    ++sent_[c.class_index][op];
    step(c, c.next);
    c.busy = false;
    for (const std::uint32_t d : graph(c).dependencies(op)) {
      consume(connection_of(c.class_index, d), simulation);
    }
    try_send(index, simulation);
  }

  void on_arrived(std::uint32_t index, Simulation& simulation) {
    if (observer_ != nullptr) observer_->slice_arrived(simulation.now(), index);
    Connection& c = connections_[index];
    const std::uint32_t op = operation(c, c.arriving);
    ++arrived_[c.class_index][op];
    ++delivered_;
    step(c, c.arriving);
    consume(index, simulation);
    for (const std::uint32_t d : graph(c).dependents(op)) {
      try_send(connection_of(c.class_index, d), simulation);
    }
    for (const std::uint32_t d : graph(c).loop_dependents(op)) {
      try_send(connection_of(c.class_index, d), simulation);
    }
  }

  // Frees the buffer slots of all slices that have arrived and been sent on.
  void consume(std::uint32_t index, Simulation& simulation) {
    Connection& c = connections_[index];
    if (cut_.window == 0) return;
    const std::int64_t before = c.oldest.passed;
    while (c.oldest.passed < c.arriving.passed && sent_on(c)) step(c, c.oldest);
    if (c.oldest.passed != before) try_send(index, simulation);
  }

  bool sent_on(const Connection& c) const {
    const std::int64_t wanted = ordinal(c.oldest);
    const auto& sent = sent_[c.class_index];
    for (const std::uint32_t d : graph(c).forwards(operation(c, c.oldest))) {
      if (sent[d] < wanted) return false;
    }
    return true;
  }

  std::uint32_t connection_of(std::uint32_t class_index, std::uint32_t op) const {
    return first_connection_[class_index] + graphs_[class_index].connection(op);
  }

  const CollectivePlan& plan_;
  const SizeCut& cut_;
  RunObserver* observer_;                           // nullptr: nobody asks
  std::vector<OperationGraph> graphs_;              // by class
  std::vector<std::vector<std::int64_t>> arrived_;  // by class and operation: slices, all loops
  std::vector<std::vector<std::int64_t>> sent_;
  std::vector<std::uint32_t> first_connection_;  // by class
  std::vector<Connection> connections_;
  std::int64_t total_ = 0, delivered_ = 0;
  Time end_ = kTimeZero;
};

}  // namespace

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
