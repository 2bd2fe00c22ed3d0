#pragma once

// Which cables of a Clos fabric are dead or degraded. A whole fabric stores nothing; a fault stores
// what it touches.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "topologies/fabrics/clos_shape.h"
#include "topologies/fabrics/clos_switches.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

class ClosCables {
 public:
  // `shape` must outlive this. Throws InputError at a fault's table: no such switch, no such
  // cables, fewer of them than named.
  ClosCables(const ClosShape& shape, std::span<const FabricFault> faults);

  bool whole() const { return leaf_cables_.empty() && spine_cables_.empty() && leaves_.empty(); }
  // What is left of a cable, as a share: 1 whole, 0 dead.
  double port_cable(std::uint32_t plane, std::uint32_t leaf) const;  // any NIC's on that leaf
  double leaf_cable(std::uint32_t plane, std::uint32_t leaf, std::uint32_t spine,
                    std::uint32_t cable) const;  // spine: of the leaf's block, from 0
  double spine_cable(std::uint32_t plane, std::uint32_t spine, std::uint32_t core_place,
                     std::uint32_t cable) const;  // spine: of the plane; place in its core group

  double leaf_cable(std::uint32_t number) const { return share_of(leaf_cables_, number); }
  double spine_cable(std::uint32_t number) const { return share_of(spine_cables_, number); }

  std::int64_t dead_leaf_cables() const { return dead(leaf_cables_); }
  std::int64_t dead_spine_cables() const { return dead(spine_cables_); }

  // Numbers of cables, from 0: plane by plane, lower switch by lower switch, upper by upper.
  std::uint32_t leaf_cable_number(std::uint32_t plane, std::uint32_t leaf, std::uint32_t spine,
                                  std::uint32_t cable) const;
  std::uint32_t spine_cable_number(std::uint32_t plane, std::uint32_t spine,
                                   std::uint32_t core_place, std::uint32_t cable) const;

 private:
  using Shares = std::map<std::uint32_t, double>;  // by number, of what is not whole

  void apply(const FabricFault& fault);
  void apply_to_switch(const FabricFault& fault);
  void apply_between(const FabricFault& fault);
  void apply_between(const FabricFault& fault, const ClosSwitch& lower, const ClosSwitch& upper);
  static void lessen_some(const FabricFault& fault, Shares& shares, std::uint32_t first,
                          std::uint32_t count);
  static void lessen(Shares& shares, std::uint32_t number, double rate);
  static std::int64_t dead(const Shares& shares);
  static double share_of(const Shares& shares, std::uint32_t number);

  const ClosShape& shape_;
  Shares leaves_;  // by plane x leaves + leaf: of the NICs' cables
  Shares leaf_cables_, spine_cables_;
};

}  // namespace ringspan
