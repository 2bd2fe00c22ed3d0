#pragma once

// One collective at `chunk`, as a process on a network: the rules of chunk_run.h. Several may share
// a network, each with flow tags of its own (jobs_chunk.h).

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/collective_plan.h"
#include "models/workloads/operation_graph.h"
#include "models/workloads/protocol_cost.h"
#include "models/workloads/run_observer.h"
#include "models/workloads/size_cut.h"
#include "sim/network/simulation.h"

namespace ringspan {

class ChunkProcess final : public Process {
 public:
  // Its flows' tags are first_tag up to first_tag + connections() - 1. `observer` may be nullptr.
  // Plan, its outline and observer must outlive this.
  ChunkProcess(const CollectivePlan& plan, const SizeCut& cut, RunObserver* observer,
               FlowTag first_tag = 0);

  void on_start(Simulation& simulation) override;
  void on_batch(Time now, std::span<const FlowEvent> flows, std::span<const Event> timers,
                Simulation& simulation) override;
  // One event of a flow with a tag of this process.
  void on_flow(const FlowEvent& event, Simulation& simulation);

  // One timer with a kind and index that it asked for.
  void on_timer(const Event& event, Simulation& simulation);

  bool finished() const override { return delivered_ == total_ && copies_left_ == 0; }
  // Names the first connection that is held up, and what it waits for.
  std::string waiting() const override;

  std::uint32_t connections() const { return static_cast<std::uint32_t>(connections_.size()); }
  Time end() const { return end_; }  // of the last arrival
  Duration busy() const;             // RunResult::busy
  std::int64_t delivered() const { return delivered_; }
  std::int64_t total() const { return total_; }

 private:
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
    Cursor copied;      // to be copied out of the buffer: what the sender receives last in a loop
    // kNever before the first one.
    Time first_sent = kNever, last_sent = kNever, first_arrived = kNever, last_arrived = kNever;
  };

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
  bool has_room(const Connection& c) const {
    return cut_.window == 0 || c.next.passed - c.oldest.passed < cut_.window;
  }
  std::uint32_t connection_of(std::uint32_t class_index, std::uint32_t op) const {
    return first_connection_[class_index] + graphs_[class_index].connection(op);
  }
  void step(const Connection& c, Cursor& at) const;
  bool data_is_there(const Connection& c) const;
  std::int64_t payload(const Connection& c, const Cursor& at) const;
  std::int64_t slice_payload(std::int64_t loop, int slice) const;
  bool copies(const Connection& c) const;
  void try_copy(std::uint32_t index, Simulation& simulation);
  void on_copied(std::uint32_t index, Simulation& simulation);
  void send(std::uint32_t index, Simulation& simulation);
  void try_send(std::uint32_t index, Simulation& simulation);
  void report_start(std::uint32_t index, Bytes wire, Time now);
  void on_sent(std::uint32_t index, Simulation& simulation);
  void on_arrived(std::uint32_t index, Simulation& simulation);
  void consume(std::uint32_t index, Simulation& simulation);
  bool sent_on(const Connection& c) const;

  const CollectivePlan& plan_;
  SizeCut cut_;
  RunObserver* observer_;                           // nullptr: nobody asks
  FlowTag first_tag_;                               // of connection 0
  std::vector<OperationGraph> graphs_;              // by class
  std::vector<std::vector<std::int64_t>> arrived_;  // by class and operation: slices, all loops
  std::vector<std::vector<std::int64_t>> sent_;
  std::vector<std::uint32_t> first_connection_;  // by class
  std::vector<Connection> connections_;
  ProtocolCost cost_;
  bool copies_at_end_ = false;  // of a ring's loops, and it takes time
  std::int64_t total_ = 0, delivered_ = 0, copies_left_ = 0;
  Time end_ = kTimeZero;
};

}  // namespace ringspan
