#pragma once

// Which cables of a Clos fabric are dead or degraded. A whole fabric stores nothing; with faults, a
// number per cable of the tier that they touch.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topologies/fabrics/clos_shape.h"
#include "topologies/fabrics/clos_switches.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

class ClosCables {
 public:
  // `shape` must outlive this; `ports`: those of its NICs. Throws InputError at a fault's table:
  // no such switch or NIC, no such cables, fewer of them than named, a NIC's cable that is dead.
  ClosCables(const ClosShape& shape, std::span<const FabricPort> ports,
             std::span<const FabricFault> faults);

  // All cables of switches are; those of single NICs may be slow, which changes no route.
  bool whole() const { return leaf_cables_.empty() && spine_cables_.empty() && leaves_.empty(); }
  bool nics_whole() const { return nics_.empty(); }
  // What is left of a cable, as a share: 1 whole, 0 dead.
  double port_cable(std::uint32_t plane, std::uint32_t leaf) const {  // any NIC's on that leaf
    return share_of(leaves_, plane * shape_.leaves + leaf);
  }
  double nic_cable(std::uint32_t plane, std::uint32_t port) const {
    return std::min(port_cable(plane, shape_.leaf_of_port[port]),
                    share_of(nics_, plane * port_count_ + port));
  }
  // `spine`: of the leaf's block, from 0.
  double leaf_cable(std::uint32_t plane, std::uint32_t leaf, std::uint32_t spine,
                    std::uint32_t cable) const {
    return share_of(leaf_cables_, leaf_cable_number(plane, leaf, spine, cable));
  }
  // `spine`: of the plane; `core_place`: of the core in its group.
  double spine_cable(std::uint32_t plane, std::uint32_t spine, std::uint32_t core_place,
                     std::uint32_t cable) const {
    return share_of(spine_cables_, spine_cable_number(plane, spine, core_place, cable));
  }
  double leaf_cable(std::uint32_t number) const { return share_of(leaf_cables_, number); }
  double spine_cable(std::uint32_t number) const { return share_of(spine_cables_, number); }

  std::int64_t dead_leaf_cables() const { return dead(leaf_cables_); }
  std::int64_t dead_spine_cables() const { return dead(spine_cables_); }

  // Numbers of cables, from 0: plane by plane, lower switch by lower switch, upper by upper.
  std::uint32_t leaf_cable_number(std::uint32_t plane, std::uint32_t leaf, std::uint32_t spine,
                                  std::uint32_t cable) const {
    return ((plane * shape_.leaves + leaf) * shape_.spines + spine) * shape_.cables_per_spine +
           cable;
  }
  std::uint32_t spine_cable_number(std::uint32_t plane, std::uint32_t spine,
                                   std::uint32_t core_place, std::uint32_t cable) const {
    return ((plane * shape_.spine_count() + spine) * shape_.cores_per_group() + core_place) *
               shape_.cables_per_core +
           cable;
  }

 private:
  using Shares = std::vector<double>;  // by number; empty while all are whole

  using Ports = std::span<const FabricPort>;
  void apply(const FabricFault& fault, Ports ports);
  void apply_to_switch(const FabricFault& fault);
  void apply_between(const FabricFault& fault);
  void apply_to_nic(const FabricFault& fault, std::uint32_t port, const std::string& nic,
                    const std::string& leaf);
  void apply_between(const FabricFault& fault, const ClosSwitch& lower, const ClosSwitch& upper);
  void lessen_some(const FabricFault& fault, Shares& shares, std::uint32_t first,
                   std::uint32_t count);
  void lessen(Shares& shares, std::uint32_t number, double rate);
  std::size_t count_of(const Shares& shares) const;
  static std::int64_t dead(const Shares& shares);
  static double share_of(const Shares& shares, std::uint32_t number) {
    return shares.empty() ? 1 : shares[number];
  }

  const ClosShape& shape_;
  std::uint32_t port_count_ = 0;
  Shares nics_;    // by plane x ports + port: of one NIC's cable
  Shares leaves_;  // by plane x leaves + leaf: of the NICs' cables
  Shares leaf_cables_, spine_cables_;
};

}  // namespace ringspan
