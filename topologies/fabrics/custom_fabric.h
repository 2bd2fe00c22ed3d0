#pragma once

// A fabric as somebody wrote it down: shortest ways, found by breadth-first search from the
// destination's switch.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/fabrics/custom_graph.h"
#include "topologies/fabrics/switch_graph_fabric.h"

namespace ringspan {

// What a tier joins, by kind of cable: "leaf", "spine".
struct CustomTier {
  std::string below, above;
};

class CustomFabric final : public SwitchGraphFabric {
 public:
  // tiers: by kind. Kinds of one tier's name are one tier.
  CustomFabric(const FabricInput& input, SwitchGraphParts parts, std::vector<CustomTier> tiers);

  std::string_view kind() const override { return "custom"; }
  void even_route(const FlowKey& flow, FabricRoute& out) const override;
  std::vector<FabricTier> tiers() const override;
  // What the first half of the ports may send to the second half, or the other way round: the
  // least cut that parts them.
  Bandwidth bisection() const override;
  FabricDrawing drawing() const override;

 protected:
  bool append_straight(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                       FabricRoute& out) const override;

 private:
  bool is_port_kind(std::uint32_t kind) const { return kinds()[kind].tier == "port"; }
  FabricTier cables_of(std::uint32_t kind) const;

  std::vector<CustomTier> joined_;            // by kind
  std::vector<std::uint32_t> place_of_port_;  // in order of their switches: for routing `static`
};

}  // namespace ringspan
