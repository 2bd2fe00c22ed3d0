#pragma once

// A schedule is pure data: who sends which blocks to whom, in which order. It knows no engine, no
// topology, no size and no time. Code flow:
//   Algorithm::build(input)      makes a Schedule for a communicator (ring.cpp, tree.cpp, ...)
//   check_schedule(schedule)     proves it by symbolic execution, without an engine
//   models/workloads             runs it: sizes, channels, chunks, slices and links come in there
//
// Data is cut in `block_count()` blocks of size/`block_divisor()` bytes each. An operation moves a
// set of blocks from its source(s) to its destination(s). Operations are numbered 0..count-1 in an
// order in which every operation comes after its dependencies. Large schedules are formulas of the
// operation's number, not arrays: a ring over 4,096 ranks has 33.5 M operations.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/collectives/collective.h"

namespace ringspan {

using OperationId = std::int64_t;

enum class TransferAction {
  Copy,    // the destinations' blocks become the source's
  Reduce,  // one source: the destination's blocks gain the source's contributions;
           // several sources: reduced on the way (in the switch), the destination's blocks become
           // the combination of the sources' (it takes part only if it is a source too)
};

struct Transfer {
  TransferAction action = TransferAction::Copy;
  std::vector<std::int32_t> sources;       // one, or several for a reduction in the switch
  std::vector<std::int32_t> destinations;  // one, or several for a multicast
  std::vector<std::int64_t> blocks;        // distinct
};

// How operations follow one another when they are run.
enum class Pacing {
  Slices,  // NCCL's way: the size is cut in loops of bounded chunks, a chunk in slices, and slice k
           // of an operation may go as soon as slice k of its dependencies has arrived
  Messages,  // an operation moves all its bytes as one message, once all of its dependencies have
             // arrived completely
};

// One edge of a round: `block_count` blocks from a rank to another.
struct PairEdge {
  std::int32_t source = 0;
  std::int32_t destination = 0;
  std::int64_t block_count = 1;
};

// The same with several sources (reduced in the switch) or several destinations (multicast).
struct SwitchedEdge {
  std::vector<std::int32_t> sources;
  std::vector<std::int32_t> destinations;
  std::int64_t block_count = 1;
};

// What the switches of a node do for its heads, the first `heads` of its `ranks`: one edge a head,
// from all ranks to it (a reduction) or from it to all (a multicast), itself included.
struct SwitchedNode {
  std::vector<std::int32_t> ranks;
  std::int32_t heads = 0;
  bool reduces = true;
  std::int64_t block_count = 1;  // of each edge

  // Calls visit(sources, destinations, block_count) for every edge.
  template <typename Visit>
  void for_each_edge(Visit visit) const {
    const std::span<const std::int32_t> all = ranks;
    for (std::int32_t head = 0; head < heads; ++head) {
      const auto one = all.subspan(static_cast<std::size_t>(head), 1);
      reduces ? visit(all, one, block_count) : visit(one, all, block_count);
    }
  }
};

// A group of operations that run at the same time. A compact view of the schedule for the `stream`
// granularity; a property test proves that it carries exactly the operations' bytes per edge.
struct Round {
  std::int64_t repeat = 1;  // the round takes place this many times in succession
  bool coupled = true;      // the edges advance at one common pace (a ring step); false: each edge
                            // is a transfer of its own that finishes by itself (an alltoall)
  std::vector<PairEdge> pairs;
  std::vector<SwitchedEdge> switched;
  // Blocks that every rank sends to every other one, instead of n (n - 1) entries in `pairs`:
  // 24,576 ranks have 604 million pairs. 0: none.
  std::int64_t all_pairs = 0;
  std::vector<SwitchedNode> nodes;  // more switched edges, node by node

  // Calls visit(source, destination, block_count) for all of `pairs`, then for all pairs by
  // distance: every rank to the next, every rank to the one after that, ...
  template <typename Visit>
  void for_each_pair(int ranks, Visit visit) const {
    for (const PairEdge& edge : pairs) visit(edge.source, edge.destination, edge.block_count);
    if (all_pairs == 0) return;
    for (std::int32_t distance = 1; distance < ranks; ++distance) {
      for (std::int32_t rank = 0; rank < ranks; ++rank) {
        const std::int32_t to = rank + distance;
        visit(rank, to < ranks ? to : to - ranks, all_pairs);
      }
    }
  }
  // Calls visit(sources, destinations, block_count), with spans, for all of `switched`, then for
  // the edges of `nodes`.
  template <typename Visit>
  void for_each_switched(Visit visit) const {
    for (const SwitchedEdge& edge : switched) {
      visit(std::span<const std::int32_t>(edge.sources),
            std::span<const std::int32_t>(edge.destinations), edge.block_count);
    }
    for (const SwitchedNode& node : nodes) node.for_each_edge(visit);
  }
};

// How rounds follow one another over the loops of a Slices schedule.
enum class RoundOverlap {
  Sequential,  // the next round starts when the last ends: rounds share connections (ring)
  Pipelined,   // rounds use connections of their own, so successive loops fill the pipe (tree,
               // chain, NVLS): the first chunk crosses all rounds, the others follow at the pace of
               // the busiest link
};

class Schedule {
 public:
  virtual ~Schedule() = default;

  const CollectiveSpec& spec() const { return spec_; }
  int ranks() const { return spec_.ranks; }

  // Blocks are numbered 0..block_count-1. all_reduce, broadcast, reduce: equal parts of the vector.
  // all_gather, reduce_scatter, gather, scatter, sendrecv: the same number of blocks for every
  // rank, in the order of ranks (see block_owner()). alltoall: block source * n + destination.
  virtual std::int64_t block_count() const = 0;
  // Bytes of a block = size / block_divisor(); see collective.h for what size means.
  virtual std::int64_t block_divisor() const = 0;

  virtual std::int64_t operation_count() const = 0;
  // Fills `out` (its vectors are reused).
  virtual void transfer(OperationId operation, Transfer& out) const = 0;
  // The operations that must have arrived before this one may start: those that deliver or reduce
  // what it sends, and those that would otherwise race with it on a block. Two one-source Reduces
  // into one block do not race: the receiver adds what arrives, in any order. Cleared first;
  // ascending.
  virtual void dependencies(OperationId operation, std::vector<OperationId>& out) const = 0;
  // The inverse of dependencies().
  virtual void dependents(OperationId operation, std::vector<OperationId>& out) const = 0;

  virtual Pacing pacing() const = 0;
  virtual RoundOverlap overlap() const = 0;
  virtual std::vector<Round> rounds() const = 0;
  // At least as many as rounds() has edges in its lists, without making them.
  virtual std::int64_t listed_edges() const { return operation_count(); }

  // The rank whose block it is: who contributes it (all_gather, gather, sendrecv, alltoall) or who
  // must end with it (reduce_scatter, scatter). all_reduce, broadcast and reduce have no owners.
  std::int32_t block_owner(std::int64_t block) const;

 protected:
  explicit Schedule(const CollectiveSpec& spec) : spec_(spec) {}
  Schedule(const Schedule&) = default;
  Schedule& operator=(const Schedule&) = default;

 private:
  CollectiveSpec spec_;
};

}  // namespace ringspan
