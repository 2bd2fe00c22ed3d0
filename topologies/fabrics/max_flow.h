#pragma once

// The greatest flow between two places of a graph with capacities (Dinic's algorithm: E. A. Dinitz,
// "Algorithm for solution of a problem of maximum flow in networks with power estimation", Soviet
// Mathematics Doklady 11, 1970). It equals the least cut between the two.

#include <cstdint>
#include <vector>

namespace ringspan {

class MaxFlow {
 public:
  explicit MaxFlow(std::uint32_t places) : edges_of_(places) {}

  // Of `forth` from a to b and `back` from b to a; not negative.
  void add(std::uint32_t a, std::uint32_t b, std::int64_t forth, std::int64_t back);
  // Uses the capacities up: to be asked once.
  std::int64_t between(std::uint32_t source, std::uint32_t sink);

 private:
  struct Edge {
    std::uint32_t to = 0;
    std::int64_t left = 0;  // capacity
  };

  bool find_levels(std::uint32_t source, std::uint32_t sink);
  std::int64_t push_one_way(std::uint32_t source, std::uint32_t sink);

  std::vector<Edge> edges_;  // edge e's reverse is e ^ 1
  std::vector<std::vector<std::uint32_t>> edges_of_;
  std::vector<std::uint32_t> level_;
  std::vector<std::size_t> next_;  // by place: the edge to try next
};

}  // namespace ringspan
