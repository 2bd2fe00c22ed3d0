#pragma once

// A fabric made of a SwitchGraph. Code flow of route():
//   the port's cable up
//   append_ways()       Valiant's detour, then straight on; a kind may do it its own way
//     append_straight() the kind's formula, as if nothing were broken
//     append_around()   where that meets something dead: a shortest way over what is alive
//   the port's cable down
//
// Links: 2p and 2p+1 are port p's cable up and down; then come the graph's.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabrics/cable_health.h"
#include "topologies/fabrics/fabric.h"
#include "topologies/fabrics/fabric_input.h"
#include "topologies/fabrics/fabric_reading.h"
#include "topologies/fabrics/fault_places.h"
#include "topologies/fabrics/switch_distances.h"
#include "topologies/fabrics/switch_graph.h"

namespace ringspan {

// Cables of one preset, length and tier.
struct CableKind {
  FabricCable cable;
  std::string tier;  // "port", "dimension 0", "global"
};

struct SwitchGraphParts {
  std::unique_ptr<const SwitchGraph> graph;
  std::vector<CableKind> kinds;
  std::vector<std::uint32_t> switch_of_port;
  std::vector<std::uint32_t> kind_of_port;  // empty: all of kind 0
  Duration nic_latency{};                   // of each of the two adapters
  FabricRouting routing;
  std::vector<std::string> notes;
};

class SwitchGraphFabric : public Fabric {
 public:
  std::uint32_t link_count() const final { return first_trunk() + graph().link_count(); }
  FabricLink link(std::uint32_t number) const final;
  Bandwidth payload(std::uint32_t number) const final;
  std::string_view preset(std::uint32_t number) const final;

  void route(const FlowKey& flow, FabricRoute& out) const final;

  std::uint32_t attachment(std::uint32_t port) const final { return switch_of_port_[port]; }
  std::uint32_t attachment_count() const final { return graph().switch_count(); }
  std::string attachment_name(std::uint32_t number) const final {
    return graph().switch_name(number);
  }
  // Every switch; kinds add theirs.
  std::vector<FabricCut> cuts() const override;

 protected:
  // Takes input.faults.
  SwitchGraphFabric(const FabricInput& input, SwitchGraphParts parts);

  const SwitchGraph& graph() const { return *graph_; }
  const std::vector<CableKind>& kinds() const { return kinds_; }
  std::uint32_t port_kind(std::uint32_t port) const {
    return kind_of_port_.empty() ? 0 : kind_of_port_[port];
  }
  const CableHealth& health() const { return health_; }
  const SwitchDistances& distances() const { return distances_; }

  // Appends the way of a flow between two different switches, `at` and `end`; at the end the flow
  // has come to `end`. The default goes by way of detour() where the routing detours.
  virtual void append_ways(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                           FabricRoute& out) const;
  // Appends one of the ways the kind prefers; false where it meets something dead, `out` then holds
  // a part of it.
  virtual bool append_straight(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                               FabricRoute& out) const = 0;

  // append_straight(), else a shortest way over what is alive. Throws InputError if there is none.
  void append_one(std::uint32_t at, std::uint32_t end, const FlowKey& flow, FabricRoute& out) const;
  // Appends a cable of the bundle that is alive; false if there is none.
  bool cross(const SwitchBundle& bundle, const FlowKey& flow, FabricRoute& out) const;
  // Replaces `out` by what leads nearer to the table's destination and is alive.
  void shortest_ways(std::uint32_t at, const SwitchDistances::Table& table,
                     std::vector<SwitchBundle>& out) const;
  // As cross(), over the `index`-th cable that is alive, of which there must be as many.
  void cross_cable(const SwitchBundle& bundle, std::uint32_t index, FabricRoute& out) const;
  // Appends all shortest ways side by side. By rate: parts by what every way can carry, else equal
  // parts for all cables at every fork. Throws InputError if there is no way.
  void append_spread(std::uint32_t at, std::uint32_t end, bool by_rate, FabricRoute& out) const;
  // The cables of the two ports, and in between what `append` appends to `out` from the source's
  // switch to the destination's, called if they differ.
  template <typename Append>
  void append_between(const FlowKey& flow, FabricRoute& out, Append append) const {
    begin(flow, out);
    const std::uint32_t at = attachment(flow.source);
    const std::uint32_t end = attachment(flow.destination);
    if (at != end) append(at, end);
    out.uses.push_back({2 * flow.destination + 1, 1, out.uses.back().stage + 1});
  }
  // A switch that is alive, drawn from the flow.
  std::uint32_t drawn_switch(const FlowKey& flow) const;
  // What is written where no way leads from `at` to `end`.
  [[noreturn]] void fail_unjoined(std::uint32_t at, std::uint32_t end) const;

  // All cables of a kind, alive, both directions counted as one.
  FabricTier tier_of(std::uint32_t kind, std::string below, std::string above) const;
  // The ports' tier over all kinds of port cable; `below` is "server".
  FabricTier port_tier() const;
  // A cut for each part; `part_of_switch` counts up from 0, labels by part.
  std::vector<FabricCut> cuts_between(const std::vector<std::uint32_t>& part_of_switch,
                                      const std::vector<std::string>& labels) const;
  Bandwidth nominal(const SwitchBundle& bundle) const;
  // "4096 x ib-ndr, 204.8 TB/s each way".
  static std::string cable_label(std::int64_t cables, std::string_view preset, Bandwidth one_way);

 private:
  std::uint32_t first_trunk() const { return static_cast<std::uint32_t>(2 * ports_.size()); }
  const CableKind& kind_of_port(std::uint32_t port) const { return kinds_[port_kind(port)]; }
  void append_around(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                     FabricRoute& out) const;
  void check_port(std::uint32_t port) const;
  void begin(const FlowKey& flow, FabricRoute& out) const;
  // A weight for every way and their sum: what it can carry on according to `table`, or, without
  // one, its cables.
  double weigh(const std::vector<SwitchBundle>& ways, const SwitchDistances::Table* table,
               std::vector<double>& weights) const;
  void append_bundle(const SwitchBundle& bundle, double share, std::uint32_t stage,
                     FabricRoute& out) const;
  // What is left of a link, as a share of one healthy cable: up to the number of cables for a pool.
  double left(std::uint32_t trunk) const;
  double port_left(std::uint32_t port) const;

  std::unique_ptr<const SwitchGraph> graph_;
  std::vector<CableKind> kinds_;
  std::vector<std::uint32_t> switch_of_port_;
  std::vector<std::uint32_t> kind_of_port_;
  Duration nic_latency_{};
  CableHealth health_;
  FaultPlaces fault_places_;
  SwitchDistances distances_;
};

}  // namespace ringspan
