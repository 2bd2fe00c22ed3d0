#pragma once

// From what a [fabric] table says to the counts of a Clos fabric. What is left out is derived from
// what is there; notes say how. What cannot be built is refused with what would fit. Code flow:
//   derive_clos()            one switch, or:
//   choose_servers_per_leaf(), choose_uplinks()    clos_leaf_derivation.cpp
//   choose_tiers()           two where they reach all leaves, else three
//   choose_pod(), choose_spines(), choose_cores()  clos_spine_derivation.cpp
//   place_ports()            which leaf each NIC hangs on
//
// Ports of a switch are counted at the rate of the fabric's fastest cable; slower cables share a
// port, as breakout cables do (a 400 Gb/s port of a leaf as 2 x 200 Gb/s to NICs).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topologies/fabrics/clos_placement.h"
#include "topologies/fabrics/clos_request.h"
#include "topologies/fabrics/clos_shape.h"
#include "topologies/fabrics/clos_uplinks.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

class ClosDerivation {
 public:
  ClosDerivation(const ClosKind& kind, const FabricInput& input, const ClosRequest& request);
  // Throws InputError at the key that cannot be met.
  void run();
  ClosShape take_shape() { return std::move(shape_); }
  std::vector<std::string> take_notes() { return std::move(notes_); }

 private:
  void derive_one_tier();
  // Leaves.
  void choose_servers_per_leaf();
  std::int64_t servers_that_fit(std::int64_t radix) const;
  std::int64_t ports_per_leaf(std::int64_t servers) const;
  UplinkDemand leaf_demand(std::int64_t servers) const;
  bool leaf_fits(std::int64_t servers, std::int64_t radix) const;
  void choose_uplinks();
  std::int64_t written_uplinks(const UplinkDemand& demand) const;
  std::int64_t derived_uplinks(const UplinkDemand& demand);
  void refuse_uneven(std::int64_t uplinks) const;
  void check_leaf_radix();
  // Tiers and spines.
  void choose_tiers();
  bool one_leaf_per_rail_holds_all() const;
  std::int64_t leaves_in_all() const;
  std::int64_t largest_block() const;
  void choose_pod();
  std::int64_t written_pod() const;
  std::int64_t derived_pod();
  std::int64_t pod_that_fits() const;
  std::vector<std::int64_t> spine_candidates() const;
  UplinkDemand spine_demand(std::int64_t spines, std::int64_t leaves) const;
  std::int64_t spine_ports(std::int64_t spines, std::int64_t leaves) const;
  std::optional<std::int64_t> spines_that_fit(std::int64_t leaves) const;
  void choose_spines();
  std::int64_t most_leaves_of_a_block() const;
  [[noreturn]] void refuse_reach() const;
  // Cores.
  void choose_cores();
  std::int64_t core_groups_for(std::int64_t cores) const;
  std::vector<std::int64_t> core_candidates() const;
  std::int64_t fewest_cores() const;
  void check_written_cores(std::int64_t cores) const;
  void check_core_radix(std::int64_t cores);
  std::int64_t block_count() const;
  void check_size() const;
  // `ports` of a switch whose radix was not written.
  void check_switch_size(std::int64_t ports, std::string_view name) const;

  // Ports that so many cables take on a switch.
  std::int64_t ports_for(std::int64_t cables, const FabricCable& cable) const;
  void note(std::string text) { notes_.push_back(std::move(text)); }

  const ClosKind& kind_;
  const FabricInput& input_;
  const ClosRequest& request_;
  const ConfigNode& config_;
  ServerPods pods_;
  std::int64_t port_rate_ = 0;         // bits/s of the fastest cable
  std::int64_t radix_ = 0;             // written, or what the largest switch so far takes
  std::int64_t servers_per_leaf_ = 0;  // in a rail-optimised fabric, of a group
  std::int64_t uplinks_ = 0;           // of a leaf
  std::int64_t leaves_per_block_ = 0;  // as built
  std::int64_t spine_uplinks_ = 0;
  ClosShape shape_;
  std::vector<std::string> notes_;
};

}  // namespace ringspan
