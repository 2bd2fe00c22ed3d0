#pragma once

// A dragonfly as numbers: groups of switches that are joined all to all, and groups joined all to
// all by `global_cables` each (J. Kim et al., "Technology-driven, highly-scalable dragonfly
// topology", ISCA 2008). Switch s is number s % switches_per_group of group s / switches_per_group.
//
// A group deals its global cables out to its switches in turn, those to the next group first
// (relative order; Hastings et al., "Comparing global link arrangements for dragonfly networks",
// CLUSTER 2015): cable c to the group r + 1 further on has number r global_cables + c and ends at
// the switch of that number modulo switches_per_group.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabrics/switch_graph.h"

namespace ringspan {

struct DragonflyShape {
  std::uint32_t groups = 1;
  std::uint32_t switches_per_group = 1;
  std::uint32_t local_cables = 1;   // between two switches of a group
  std::uint32_t global_cables = 0;  // between two groups

  std::uint32_t switches() const { return groups * switches_per_group; }
  // Of a group.
  std::uint32_t global_ends() const { return (groups - 1) * global_cables; }
  // Of a switch, the most that any has.
  std::uint32_t global_ports() const {
    return (global_ends() + switches_per_group - 1) / switches_per_group;
  }
  std::uint32_t local_ports() const { return (switches_per_group - 1) * local_cables; }
};

// Links: switch by switch the local ones, peer by peer, cable by cable; then group by group the
// global ones. Local cables are of kind 1, global ones of kind 2.
class DragonflyGraph final : public SwitchGraph {
 public:
  explicit DragonflyGraph(DragonflyShape shape) : shape_(shape) {}

  std::uint32_t switch_count() const override { return shape_.switches(); }
  std::uint32_t link_count() const override;
  void bundles(std::uint32_t at, std::vector<SwitchBundle>& out) const override;
  SwitchBundle bundle_of(std::uint32_t link) const override;
  // "group3.switch5".
  std::string switch_name(std::uint32_t number) const override;
  std::optional<std::uint32_t> find_switch(std::string_view name) const override;

  const DragonflyShape& shape() const { return shape_; }
  std::uint32_t group_of(std::uint32_t at) const { return at / shape_.switches_per_group; }
  // Between two switches of one group.
  SwitchBundle local(std::uint32_t from, std::uint32_t to) const;
  // Cable `cable` from one group to another; bundle.from is the switch it leaves.
  SwitchBundle global(std::uint32_t from_group, std::uint32_t to_group, std::uint32_t cable) const;

 private:
  std::uint32_t first_global() const { return shape_.switches() * shape_.local_ports(); }
  // The switch at which a group's global cable of that number ends.
  std::uint32_t gateway(std::uint32_t group, std::uint32_t number) const {
    return group * shape_.switches_per_group + number % shape_.switches_per_group;
  }
  SwitchBundle numbered_global(std::uint32_t group, std::uint32_t number) const;

  DragonflyShape shape_;
};

}  // namespace ringspan
