#pragma once

// The operations of one channel class as flat arrays, for running them slice by slice.

#include <cstdint>
#include <span>
#include <vector>

#include "models/workloads/collective_plan.h"

namespace ringspan {

class OperationGraph {
 public:
  OperationGraph(const Schedule& schedule, const PlannedClass& planned);

  std::int64_t size() const { return static_cast<std::int64_t>(edge_.size()); }
  // Connections send one slice at a time, each over one edge. An edge is a connection; where rounds
  // have connections of their own (Pipelined), one more for each further operation of the edge.
  std::uint32_t connections() const { return static_cast<std::uint32_t>(edge_of_.size()); }
  std::uint32_t edge_of(std::uint32_t connection) const { return edge_of_[connection]; }
  std::uint32_t connection(std::int64_t operation) const { return connection_[operation]; }
  std::int64_t blocks(std::int64_t operation) const { return blocks_[operation]; }
  std::span<const std::uint32_t> dependencies(std::int64_t operation) const {
    return row(dependency_begin_, dependencies_, operation);
  }
  // Those dependents that a destination of the operation sends: they hold its buffer slot.
  std::span<const std::uint32_t> forwards(std::int64_t operation) const {
    return row(forward_begin_, forwards_, operation);
  }
  std::span<const std::uint32_t> dependents(std::int64_t operation) const {
    return row(dependent_begin_, dependents_, operation);
  }
  // A channel works through its loops one after the other: what a rank sends first in a loop waits
  // for what it received last in the loop before. Both empty where loops overlap (Pipelined).
  std::span<const std::uint32_t> loop_dependencies(std::int64_t operation) const {
    return row(loop_dependency_begin_, loop_dependencies_, operation);
  }
  std::span<const std::uint32_t> loop_dependents(std::int64_t operation) const {
    return row(loop_dependent_begin_, loop_dependents_, operation);
  }
  // The operations of a connection, in the order they are sent.
  std::span<const std::uint32_t> of_connection(std::uint32_t connection) const {
    return row(connection_begin_, of_connection_, connection);
  }

 private:
  using Offsets = std::vector<std::uint32_t>;
  static std::span<const std::uint32_t> row(const Offsets& begin, const Offsets& values,
                                            std::int64_t index) {
    return {values.data() + begin[index], values.data() + begin[index + 1]};
  }
  void tie_loops(const Schedule& schedule, const PlannedClass& planned);
  void open_connections(std::size_t edges, bool per_operation);

  std::vector<std::uint32_t> edge_, connection_;  // by operation
  std::vector<std::uint32_t> edge_of_;            // by connection
  std::vector<std::int64_t> blocks_;
  Offsets dependency_begin_, dependencies_, dependent_begin_, dependents_;
  Offsets forward_begin_, forwards_, connection_begin_, of_connection_;
  Offsets loop_dependency_begin_, loop_dependencies_, loop_dependent_begin_, loop_dependents_;
};

}  // namespace ringspan
