#pragma once

// Which links are alike: those of one kind that carry the same load in every flow. One of them can
// stand for all, since whatever the flows do, they fill together. Exact: loads are compared, no
// hash is trusted.
//
// It starts with one class per kind. Every flow splits the classes it meets by the load that it
// puts on their members; a class keeps the members that the flow leaves out. A part remembers what
// it was split from, so the classes are a tree, and a class's loads are those on its way up.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ringspan {

// What a flow puts on a link, per byte of its own.
struct LinkLoad {
  double load = 0;   // of the link's rate: at least `bytes` (staging wastes some)
  double bytes = 0;  // on the wire
};

class LoadPartition {
 public:
  // kinds[m] of member m, numbered from 0.
  explicit LoadPartition(std::vector<std::uint32_t> kinds);

  // `members`, each once, carry loads[member], a LinkLoad > 0, in `flow`. Flows come in ascending
  // order, once each.
  template <typename Loads>
  void split(std::uint32_t flow, std::span<const std::uint32_t> members, const Loads& loads) {
    parts_.clear();
    for (const std::uint32_t member : members) move(member, flow, loads[member]);
  }

  // Calls visit(flow, load) for the flows that were split and load the member, the last one first.
  // Before finish().
  template <typename Visit>
  void for_each_load(std::uint32_t member, Visit visit) const {
    for (std::uint32_t node = class_of_[member]; nodes_[node].parent != node;
         node = nodes_[node].parent) {
      visit(nodes_[node].flow, nodes_[node].load.load);
    }
  }

  struct Row {
    std::uint32_t flow = 0;
    LinkLoad load;
  };
  struct Alike {
    std::uint32_t first = 0;  // the lowest member
    std::uint32_t count = 0;
    std::uint32_t kind = 0;
    std::vector<Row> rows;  // by flow, ascending
  };
  static constexpr std::uint32_t kUnloaded = 0xffffffffU;

  // The classes with a load, by their first members. Call once.
  std::vector<Alike> finish();
  // After finish(): the class of every member, kUnloaded for those without a load.
  std::vector<std::uint32_t> take_classes() { return std::move(class_of_); }

 private:
  struct Node {
    std::uint32_t parent = 0;  // itself: a kind
    std::uint32_t flow = 0;
    LinkLoad load;
    std::uint32_t last_part = 0;  // that a member went to: members are often alike
  };
  void move(std::uint32_t member, std::uint32_t flow, const LinkLoad& load);
  std::uint32_t part_of(std::uint32_t node, std::uint32_t flow, const LinkLoad& load);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> class_of_;
  // The parts made by the present flow, by the node split and the load's leading bits.
  std::unordered_multimap<std::uint64_t, std::uint32_t> parts_;
};

}  // namespace ringspan
