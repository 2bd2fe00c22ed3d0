#pragma once

// Folded Clos fabrics: one switch, leaves and spines, fat trees of three tiers, rail-optimised and
// rail-only ones. Code flow:
//   make_clos_fabric(kind, input)
//     read_clos_request()   clos_request: what [fabric] says
//     ClosDerivation        clos_derivation, clos_leaf_..., clos_spine_derivation: counts
//     ClosCables            clos_cables: faults
//   ClosFabric::link()      clos_links.cpp: numbers and names of links
//   ClosFabric::route()     clos_routes.cpp: routing by formula
//   ClosFabric::tiers()     clos_reports.cpp, clos_cuts.cpp
//
// Links, in this order, plane by plane within each: cables of NICs up, then down; then, where flows
// take one way (ecmp, static), cables of leaves up, down, of spines up, down; where they are spread
// (spray, adaptive), pools of leaves up, down, of blocks up, down.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topologies/fabrics/clos_cables.h"
#include "topologies/fabrics/clos_pools.h"
#include "topologies/fabrics/clos_request.h"
#include "topologies/fabrics/clos_shape.h"
#include "topologies/fabrics/fabric.h"
#include "topologies/fabrics/fabric_input.h"
#include "topologies/fabrics/fault_places.h"

namespace ringspan {

class ClosFabric final : public Fabric {
 public:
  ClosFabric(const ClosKind& kind, const FabricInput& input, const ClosRequest& request,
             ClosShape shape, std::vector<std::string> notes);
  ClosFabric(const ClosFabric&) = delete;  // its cables refer to its shape
  ClosFabric& operator=(const ClosFabric&) = delete;

  std::string_view kind() const override { return kind_; }
  const ClosShape& shape() const { return shape_; }

  std::uint32_t link_count() const override { return first_.back(); }
  FabricLink link(std::uint32_t number) const override;
  Bandwidth payload(std::uint32_t number) const override;
  std::string_view preset(std::uint32_t number) const override;

  void route(const FlowKey& flow, FabricRoute& out) const override;
  void even_route(const FlowKey& flow, FabricRoute& out) const override;
  void even_ends(const FlowKey& flow, FabricRoute& out) const override;
  void reduction(std::span<const std::uint32_t> ports, FabricRoute& out) const override;
  bool joins(std::uint32_t from, std::uint32_t to) const override;

  std::uint32_t attachment(std::uint32_t port) const override { return shape_.leaf_of_port[port]; }
  std::uint32_t attachment_count() const override { return shape_.leaves; }
  std::string attachment_name(std::uint32_t number) const override;
  AttachmentClasses attachment_classes() const override;
  std::vector<FabricLevel> levels() const override;

  // Up and down once, in every plane at most.
  std::int64_t most_trunks() const override {
    return 2 * std::int64_t{shape_.planes} * (shape_.tiers - 1);
  }
  std::vector<FabricTier> tiers() const override;
  std::vector<FabricCut> cuts() const override;
  Bandwidth bisection() const override;
  FabricDrawing drawing() const override;

 private:
  // Families of links, in the order of their numbers. With spreading, the last four are pools.
  enum Family { PortUp, PortDown, LeafUp, LeafDown, SpineUp, SpineDown, kFamilies };
  // How far a route climbs.
  enum Climb { ToLeaf, ToSpine, ToCore };

  // clos_links.cpp
  void number_links();
  void fill_pools();
  bool pooled() const { return choice_->spread() != PathChoice::Spread::One; }
  Family family_of(std::uint32_t number) const;
  const FabricCable& cable_of(Family family) const;
  Bandwidth nominal(Family family, std::uint32_t index) const;
  std::string link_name(Family family, std::uint32_t index) const;
  std::string pool_name(Family family, std::uint32_t index) const;
  std::string port_link_name(Family family, std::uint32_t index) const;
  std::string leaf_cable_name(Family family, std::uint32_t index) const;
  std::string spine_cable_name(Family family, std::uint32_t index) const;
  std::uint32_t port_link(Family family, std::uint32_t plane, std::uint32_t port) const {
    return first_[family] + plane * static_cast<std::uint32_t>(ports_.size()) + port;
  }
  std::uint32_t leaf_pool(Family family, std::uint32_t plane, std::uint32_t leaf) const {
    return first_[family] + plane * shape_.leaves + leaf;
  }
  std::uint32_t block_pool(Family family, std::uint32_t plane, std::uint32_t block) const {
    return first_[family] + plane * shape_.blocks() + block;
  }

  // clos_routes.cpp. Spines are counted within their block, ways of a switch cable by cable:
  // all upper switches by their first cables, then by their second, ...
  Climb climb(std::uint32_t from_leaf, std::uint32_t to_leaf) const;
  void set_length(Climb climb, FabricRoute& out) const;
  // Is it alive, and does it lead on to the leaf?
  bool leaf_way(std::uint32_t plane, std::uint32_t from_leaf, std::uint32_t way,
                std::uint32_t to_leaf) const;
  bool spine_way(std::uint32_t plane, std::uint32_t block, std::uint32_t spine, std::uint32_t way,
                 std::uint32_t to_leaf) const;
  bool core_way(std::uint32_t plane, std::uint32_t core, std::uint32_t to_leaf, std::uint32_t spine,
                std::uint32_t cable) const;
  bool spine_serves(std::uint32_t plane, std::uint32_t spine, std::uint32_t leaf) const;
  bool spine_reaches(std::uint32_t plane, std::uint32_t block, std::uint32_t spine,
                     std::uint32_t leaf) const;
  bool core_serves(std::uint32_t plane, std::uint32_t core, std::uint32_t to_leaf,
                   std::uint32_t spine) const;
  bool core_reaches(std::uint32_t plane, std::uint32_t core, std::uint32_t leaf) const;
  bool plane_joins(std::uint32_t plane, std::uint32_t from_leaf, std::uint32_t to_leaf) const;
  double plane_weight(std::uint32_t plane, std::uint32_t from_leaf, std::uint32_t to_leaf) const;
  [[noreturn]] void refuse_route(std::uint32_t from_leaf, std::uint32_t to_leaf) const;
  void refuse_dead_leaf(std::uint32_t leaf) const;
  void pooled_route(const FlowKey& flow, Climb height, FabricRoute& out) const;
  void append_pools(std::uint32_t plane, const FlowKey& flow, Climb height, float share,
                    FabricRoute& out) const;
  static void sort_by_stage(FabricRoute& out);
  std::uint32_t place_of(const ClosSwitch& which) const;
  void one_way(const FlowKey& ports, Climb height, FabricRoute& out) const;
  static void append_use(FabricRoute& out, std::uint32_t link);
  struct Ways {
    std::uint32_t switches = 1, cables = 1;  // cables to each
  };
  std::uint32_t pick_bundled(std::uint32_t at, const FlowKey& flow, const Ways& ways,
                             std::uint32_t before) const;
  std::uint32_t up_to_spine(std::uint32_t plane, const FlowKey& flow, std::uint32_t from_leaf,
                            std::uint32_t to_leaf, FabricRoute& out) const;
  std::uint32_t up_to_core(std::uint32_t plane, const FlowKey& flow, std::uint32_t from_leaf,
                           std::uint32_t to_leaf, std::uint32_t spine, FabricRoute& out) const;
  std::uint32_t down_to_spine(std::uint32_t plane, const FlowKey& flow, std::uint32_t core,
                              std::uint32_t to_leaf, FabricRoute& out) const;
  void down_to_leaf(std::uint32_t plane, const FlowKey& flow, std::uint32_t spine,
                    std::uint32_t to_leaf, FabricRoute& out) const;
  std::uint32_t choose_plane(const FlowKey& flow, std::uint32_t from_leaf,
                             std::uint32_t to_leaf) const;

  // clos_attachments.cpp
  std::vector<double> health_of_leaf(std::uint32_t leaf) const;

  // clos_even_routes.cpp
  static std::uint32_t last_stage(Climb height) {
    return 1 + 2 * static_cast<std::uint32_t>(height);
  }
  template <typename Append>
  void over_planes(const FlowKey& flow, FabricRoute& out, Append append) const;
  void append_ends(std::uint32_t plane, const FlowKey& ports, Climb height, double share,
                   FabricRoute& out) const;
  void even_ways(std::uint32_t plane, const FlowKey& ports, Climb height, double share,
                 FabricRoute& out) const;
  std::vector<double> even_over_cores(std::uint32_t plane, std::uint32_t from_leaf,
                                      std::uint32_t to_leaf, const std::vector<double>& shares,
                                      FabricRoute& out) const;

  // clos_reduction.cpp
  struct ReductionTree {
    std::vector<std::uint32_t> leaves, blocks;  // in ascending order
    Climb height = ToLeaf;
  };
  struct TreeRoot {
    std::uint32_t spine = 0, core_place = 0;  // in its block; in its core group
    bool operator==(const TreeRoot&) const = default;
  };
  ReductionTree reduction_tree(std::span<const std::uint32_t> ports) const;
  std::optional<TreeRoot> find_root(std::uint32_t plane, std::uint32_t port,
                                    const ReductionTree& tree) const;
  std::optional<std::uint32_t> alive_leaf_cable(std::uint32_t plane, std::uint32_t leaf,
                                                std::uint32_t spine) const;
  std::optional<std::uint32_t> alive_spine_cable(std::uint32_t plane, std::uint32_t spine,
                                                 std::uint32_t place) const;
  void append_tree(std::uint32_t plane, std::span<const std::uint32_t> ports,
                   const ReductionTree& tree, const TreeRoot& root, float share,
                   FabricRoute& out) const;

  // clos_reports.cpp
  Bandwidth ports_rate() const;
  Bandwidth leaf_rate(std::uint32_t leaf, bool up) const;
  Bandwidth block_rate(std::uint32_t block, bool up) const;
  FabricTier port_tier() const;
  FabricTier leaf_tier() const;
  FabricTier spine_tier() const;

  // clos_cuts.cpp
  std::vector<FabricCut> leaf_cuts() const;
  std::vector<FabricCut> group_cuts(const std::vector<FabricCut>& leaves) const;
  std::vector<FabricCut> block_cuts(const std::vector<FabricCut>& leaves) const;
  FabricCut half_of_ports() const;

  std::string_view kind_;
  ClosShape shape_;
  ClosCables cables_;
  FaultPlaces fault_places_;
  Duration nic_latency_{};
  std::vector<std::uint32_t> first_;  // by family, and one more
  std::vector<Bandwidth> pools_;      // by link number less first_[LeafUp]
};

// Throws InputError at the key or fault that is wrong.
std::unique_ptr<const Fabric> make_clos_fabric(const ClosKind& kind, const FabricInput& input);

}  // namespace ringspan
