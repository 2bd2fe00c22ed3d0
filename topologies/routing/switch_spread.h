#pragma once

// How bytes spread over the NVSwitches between two GPUs: over all planes at once, each plane by
// what it can carry.

#include <optional>
#include <vector>

#include "topologies/graph/topology.h"
#include "topologies/routing/bundle_table.h"
#include "topologies/routing/route.h"

namespace ringspan {

class SwitchSpread {
 public:
  SwitchSpread(const Topology& topology, const BundleTable& bundles);

  // Fills kind, links, latency and via of a route through as few NVSwitches as possible; false when
  // no chain of NVSwitches joins the two.
  bool spread(NodeId from, NodeId to, Route& route) const;

  // The links between a GPU and its NVSwitches.
  SwitchPort port(NodeId gpu) const;

 private:
  bool spread_one_level(NodeId from, NodeId to, Route& route) const;
  bool spread_levels(NodeId from, NodeId to, Route& route) const;
  // The layers of the graph of shortest ways: the source, switches, the destination.
  struct Edge {
    const Bundle* bundle = nullptr;
    double usable = 0;  // what it can carry towards the end
  };
  struct Stop {
    NodeId device;
    double arriving = 0;  // capacity of the bundles into it
    double usable = 0;    // what it can pass on towards the end
    double share = 0;     // of the route's bytes
    Duration latency{};   // from here to the end, slowest stripe
    std::vector<Edge> out;
  };
  using Layer = std::vector<Stop>;
  std::vector<Layer> layers_between(NodeId from, NodeId to) const;
  static void find_usable(std::vector<Layer>& layers);
  static Stop* find_stop(Layer& layer, NodeId device);

  std::size_t switch_of(NodeId id) const {
    return static_cast<std::size_t>(switch_index_[id.index()]);
  }
  bool is_switch(NodeId id) const { return switch_index_[id.index()] >= 0; }

  const Topology& topology_;
  const BundleTable& bundles_;
  std::vector<std::int32_t> switch_index_;          // per device; -1: not an NVSwitch
  std::vector<std::vector<const Bundle*>> trunks_;  // per NVSwitch: bundles to other NVSwitches
};

}  // namespace ringspan
