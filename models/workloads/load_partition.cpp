#include "models/workloads/load_partition.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// Loads that agree in the leading 36 bits of their fractions are the same: sums of thirds in
// another order differ in the last ones.
std::uint64_t leading_bits(double load) {
  constexpr std::uint64_t kHalf = 1U << 15U;
  return (std::bit_cast<std::uint64_t>(load) + kHalf) >> 16U;
}

bool same(const LinkLoad& a, const LinkLoad& b) {
  return leading_bits(a.load) == leading_bits(b.load) &&
         leading_bits(a.bytes) == leading_bits(b.bytes);
}

std::uint64_t key_of(std::uint32_t node, double load) {
  return leading_bits(load) * 0x9e3779b97f4a7c15U + node;
}

}  // namespace

LoadPartition::LoadPartition(std::vector<std::uint32_t> kinds) : class_of_(std::move(kinds)) {
  const std::uint32_t count =
      class_of_.empty() ? 0 : *std::max_element(class_of_.begin(), class_of_.end()) + 1;
  for (std::uint32_t kind = 0; kind < count; ++kind) nodes_.push_back({kind, 0, {}, 0});
}

void LoadPartition::move(std::uint32_t member, std::uint32_t flow, const LinkLoad& load) {
  const std::uint32_t node = class_of_[member];
  const std::uint32_t last = nodes_[node].last_part;
  const bool known = last != 0 && nodes_[last].flow == flow && same(nodes_[last].load, load);
  const std::uint32_t part = known ? last : part_of(node, flow, load);
  nodes_[node].last_part = part;
  class_of_[member] = part;
}

std::uint32_t LoadPartition::part_of(std::uint32_t node, std::uint32_t flow, const LinkLoad& load) {
  const std::uint64_t key = key_of(node, load.load);
  const auto [begin, end] = parts_.equal_range(key);
  for (auto it = begin; it != end; ++it) {
    const Node& part = nodes_[it->second];
    if (part.parent == node && same(part.load, load)) return it->second;
  }
  const auto number = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({node, flow, load, 0});
  parts_.emplace(key, number);
  return number;
}

std::vector<LoadPartition::Alike> LoadPartition::finish() {
  std::vector<Alike> classes;
  std::vector<std::uint32_t> class_of_node(nodes_.size(), kUnloaded);
  for (std::uint32_t member = 0; member < class_of_.size(); ++member) {
    std::uint32_t node = class_of_[member];
    if (nodes_[node].parent == node) {  // a kind: no flow met it
      class_of_[member] = kUnloaded;
      continue;
    }
    std::uint32_t& number = class_of_node[node];
    if (number == kUnloaded) {
      number = static_cast<std::uint32_t>(classes.size());
      Alike alike{member, 0, 0, {}};
      for (; nodes_[node].parent != node; node = nodes_[node].parent) {
        alike.rows.push_back({nodes_[node].flow, nodes_[node].load});
      }
      std::reverse(alike.rows.begin(), alike.rows.end());
      alike.kind = node;
      classes.push_back(std::move(alike));
    }
    ++classes[number].count;
    class_of_[member] = number;
  }
  nodes_ = {};
  parts_ = {};
  return classes;
}

}  // namespace ringspan
