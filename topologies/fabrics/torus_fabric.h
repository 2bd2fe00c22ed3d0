#pragma once

// A torus: TorusGraph numbers its links, TorusFabric routes and reports.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "topologies/fabrics/switch_graph_fabric.h"
#include "topologies/fabrics/torus_shape.h"

namespace ringspan {

// Switch by switch; there dimension by dimension, up before down, cable by cable. Dimension d's
// cables are of kind 1 + d.
class TorusGraph final : public SwitchGraph {
 public:
  // cables: between two neighbours, by dimension.
  TorusGraph(TorusShape shape, std::vector<std::uint32_t> cables);

  std::uint32_t switch_count() const override { return shape_.switches(); }
  std::uint32_t link_count() const override { return shape_.switches() * stride_; }
  void bundles(std::uint32_t at, std::vector<SwitchBundle>& out) const override;
  SwitchBundle bundle_of(std::uint32_t link) const override;

  const TorusShape& shape() const { return shape_; }
  SwitchBundle bundle(std::uint32_t at, TorusStep step) const;
  std::uint32_t cables(std::uint32_t dimension) const { return cables_[dimension]; }
  // Cables that end at a switch, its ports left aside.
  std::uint32_t stride() const { return stride_; }

 private:
  TorusShape shape_;
  std::vector<std::uint32_t> cables_;
  std::vector<std::uint32_t> first_;  // by dimension: links of a switch before it
  std::uint32_t stride_ = 0;
};

class TorusFabric final : public SwitchGraphFabric {
 public:
  // parts.graph is a TorusGraph; kinds: the ports', then one a dimension.
  TorusFabric(const FabricInput& input, SwitchGraphParts parts);

  std::string_view kind() const override { return "torus"; }
  std::vector<FabricTier> tiers() const override;
  std::vector<FabricCut> cuts() const override;
  Bandwidth bisection() const override;
  FabricDrawing drawing() const override;

 protected:
  bool append_straight(std::uint32_t at, std::uint32_t end, const FlowKey& flow,
                       FabricRoute& out) const override;

 private:
  // The lower and the upper half of every dimension of at least 2.
  std::vector<FabricCut> halves() const;

  const TorusGraph& torus_;
};

}  // namespace ringspan
