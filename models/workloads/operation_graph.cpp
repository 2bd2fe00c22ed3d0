#include "models/workloads/operation_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

bool meets(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

}  // namespace

OperationGraph::OperationGraph(const Schedule& schedule, const PlannedClass& planned) {
  const std::int64_t count = schedule.operation_count();
  RINGSPAN_CHECK(count < std::numeric_limits<std::uint32_t>::max(),
                 "too many operations for arrays");
  Transfer transfer;
  for (std::int64_t o = 0; o < count; ++o) {
    schedule.transfer(o, transfer);
    edge_.push_back(planned.edge_of(transfer));
    blocks_.push_back(static_cast<std::int64_t>(transfer.blocks.size()));
  }
  std::vector<OperationId> ids;
  for (std::int64_t o = 0; o < count; ++o) {
    const auto& edge = planned.edges[edge_[o]];
    dependency_begin_.push_back(static_cast<std::uint32_t>(dependencies_.size()));
    schedule.dependencies(o, ids);
    for (const OperationId id : ids) dependencies_.push_back(static_cast<std::uint32_t>(id));
    dependent_begin_.push_back(static_cast<std::uint32_t>(dependents_.size()));
    forward_begin_.push_back(static_cast<std::uint32_t>(forwards_.size()));
    if (dependencies_.size() >= std::numeric_limits<std::uint32_t>::max()) {
      throw InputError("too many dependencies for granularity chunk", "use --granularity stream");
    }
    schedule.dependents(o, ids);
    for (const OperationId id : ids) {
      dependents_.push_back(static_cast<std::uint32_t>(id));
      if (meets(planned.edges[edge_[id]].sources, edge.destinations)) {
        forwards_.push_back(static_cast<std::uint32_t>(id));
      }
    }
  }
  dependency_begin_.push_back(static_cast<std::uint32_t>(dependencies_.size()));
  dependent_begin_.push_back(static_cast<std::uint32_t>(dependents_.size()));
  forward_begin_.push_back(static_cast<std::uint32_t>(forwards_.size()));
  tie_loops(schedule, planned);
  open_connections(planned.edges.size(), schedule.pacing() == Pacing::Slices &&
                                             schedule.overlap() == RoundOverlap::Pipelined);
}

void OperationGraph::tie_loops(const Schedule& schedule, const PlannedClass& planned) {
  std::vector<std::vector<std::uint32_t>> firsts(schedule.ranks()), lasts(schedule.ranks());
  const bool tied =
      schedule.pacing() == Pacing::Slices && schedule.overlap() == RoundOverlap::Sequential;
  for (std::uint32_t o = 0; tied && o < edge_.size(); ++o) {
    const auto& edge = planned.edges[edge_[o]];
    if (dependencies(o).empty()) firsts[edge.sources.front()].push_back(o);
    if (forwards(o).empty()) lasts[edge.destinations.front()].push_back(o);
  }
  const auto append = [](Offsets& begin, Offsets& values, const std::vector<std::uint32_t>* more) {
    begin.push_back(static_cast<std::uint32_t>(values.size()));
    if (more != nullptr) values.insert(values.end(), more->begin(), more->end());
  };
  for (std::uint32_t o = 0; o < edge_.size(); ++o) {
    const auto& edge = planned.edges[edge_[o]];
    append(loop_dependency_begin_, loop_dependencies_,
           dependencies(o).empty() ? &lasts[edge.sources.front()] : nullptr);
    append(loop_dependent_begin_, loop_dependents_,
           forwards(o).empty() ? &firsts[edge.destinations.front()] : nullptr);
  }
  append(loop_dependency_begin_, loop_dependencies_, nullptr);
  append(loop_dependent_begin_, loop_dependents_, nullptr);
}

void OperationGraph::open_connections(std::size_t edges, bool per_operation) {
  edge_of_.resize(edges);
  std::iota(edge_of_.begin(), edge_of_.end(), 0);
  connection_ = edge_;
  std::vector<bool> taken(edges, false);
  for (std::uint32_t o = 0; per_operation && o < edge_.size(); ++o) {
    if (taken[edge_[o]]) {
      connection_[o] = connections();
      edge_of_.push_back(edge_[o]);
    }
    taken[edge_[o]] = true;
  }
  connection_begin_.assign(edge_of_.size() + 1, 0);
  for (const std::uint32_t connection : connection_) ++connection_begin_[connection + 1];
  for (std::size_t c = 0; c < edge_of_.size(); ++c)
    connection_begin_[c + 1] += connection_begin_[c];
  of_connection_.resize(edge_.size());
  Offsets next(connection_begin_.begin(), connection_begin_.end() - 1);
  for (std::uint32_t o = 0; o < edge_.size(); ++o) of_connection_[next[connection_[o]]++] = o;
}

}  // namespace ringspan
