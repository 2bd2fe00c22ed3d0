#pragma once

// A dragonfly: minimal ways take one global cable, Valiant's two.

#include <cstdint>
#include <string_view>
#include <vector>

#include "topologies/fabrics/dragonfly_graph.h"
#include "topologies/fabrics/switch_graph_fabric.h"

namespace ringspan {

class DragonflyFabric final : public SwitchGraphFabric {
 public:
  // parts.graph is a DragonflyGraph; kinds: port, local, global.
  DragonflyFabric(const FabricInput& input, SwitchGraphParts parts);

  std::string_view kind() const override { return "dragonfly"; }
  std::vector<FabricLevel> levels() const override;
  std::vector<FabricTier> tiers() const override;
  std::vector<FabricCut> cuts() const override;
  Bandwidth bisection() const override;
  FabricDrawing drawing() const override;

 protected:
  // By way of a group drawn from the flow where the routing detours and the flow leaves its group.
  void append_ways(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                   FabricRoute& out) const override;
  bool append_straight(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                       FabricRoute& out) const override;

 private:
  // From `at` over a global cable into a group; `at` is then the switch it ends at. False where it
  // meets something dead.
  bool enter_group(std::uint32_t& at, std::uint32_t group, const FlowKey& flow,
                   FabricRoute& out) const;
  // To a switch of the same group, which may be `at` itself.
  bool cross_group(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                   FabricRoute& out) const;
  // Whether a flow can take the cable from `at`, its gateway being reached directly.
  bool usable(std::uint32_t at, const SwitchBundle& cable) const;
  bool detour(std::uint32_t at, std::uint32_t end, const FlowKey& flow, FabricRoute& out) const;
  std::vector<FabricCut> group_cuts() const;

  const DragonflyGraph& dragonfly_;
};

}  // namespace ringspan
