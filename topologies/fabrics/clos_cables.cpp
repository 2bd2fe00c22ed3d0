#include "topologies/fabrics/clos_cables.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/base/quote.h"
#include "topologies/fabrics/cable_health.h"

namespace ringspan {

namespace {

// A fault's table says it all: the position is the table's own.
[[noreturn]] void refuse(const FabricFault& fault, std::string message, std::string hint) {
  throw InputError(fault.table.position(), std::move(message), std::move(hint));
}

ClosSwitch find_switch(const ClosShape& shape, const FabricFault& fault, const std::string& name) {
  const std::optional<ClosSwitch> found = find_clos_switch(shape, name);
  if (!found) {
    refuse(fault, fmt::format("the fabric has no switch {}", quote_text(name)),
           clos_switch_hint(shape, name));
  }
  return *found;
}

std::optional<std::uint32_t> find_port(std::span<const FabricPort> ports, const std::string& name) {
  if (!name.starts_with("server")) return std::nullopt;
  for (std::uint32_t port = 0; port < ports.size(); ++port) {
    if (port_name(ports[port]) == name) return port;
  }
  return std::nullopt;
}

// Block and place in it of a spine of the plane.
std::pair<std::uint32_t, std::uint32_t> spine_place(const ClosShape& shape, std::uint32_t spine) {
  return {spine / shape.spines, spine % shape.spines};
}

}  // namespace

ClosCables::ClosCables(const ClosShape& shape, std::span<const FabricPort> ports,
                       std::span<const FabricFault> faults)
    : shape_(shape), port_count_(static_cast<std::uint32_t>(ports.size())) {
  for (const FabricFault& fault : faults) apply(fault, ports);
}

std::int64_t ClosCables::dead(const Shares& shares) {
  return std::count_if(shares.begin(), shares.end(), [](double share) { return share <= 0; });
}

std::size_t ClosCables::count_of(const Shares& shares) const {
  const std::size_t leaves = std::size_t{shape_.planes} * shape_.leaves;
  if (&shares == &nics_) return std::size_t{shape_.planes} * port_count_;
  if (&shares == &leaves_) return leaves;
  if (&shares == &leaf_cables_) return leaves * shape_.leaf_uplinks();
  return std::size_t{shape_.planes} * shape_.spine_count() * shape_.spine_uplinks();
}

void ClosCables::lessen(Shares& shares, std::uint32_t number, double rate) {
  if (rate >= 1) return;
  if (shares.empty()) shares.assign(count_of(shares), 1);
  shares[number] = std::min(shares[number], rate);
}

void ClosCables::apply(const FabricFault& fault, Ports ports) {
  if (!fault.switch_name.empty()) {
    apply_to_switch(fault);
  } else if (const auto port = find_port(ports, fault.from)) {
    apply_to_nic(fault, *port, fault.from, fault.to);
  } else if (const auto other = find_port(ports, fault.to)) {
    apply_to_nic(fault, *other, fault.to, fault.from);
  } else {
    apply_between(fault);
  }
}

// All cables of the switch, those of NICs included.
void ClosCables::apply_to_switch(const FabricFault& fault) {
  const ClosSwitch which = find_switch(shape_, fault, fault.switch_name);
  const auto leaf_spine = [&](std::uint32_t leaf, std::uint32_t spine) {
    for (std::uint32_t cable = 0; cable < shape_.cables_per_spine; ++cable) {
      lessen(leaf_cables_, leaf_cable_number(which.plane, leaf, spine, cable), fault.rate);
    }
  };
  const auto spine_core = [&](std::uint32_t spine, std::uint32_t place) {
    for (std::uint32_t cable = 0; cable < shape_.cables_per_core; ++cable) {
      lessen(spine_cables_, spine_cable_number(which.plane, spine, place, cable), fault.rate);
    }
  };
  if (which.level == ClosLevel::Leaf) {
    lessen(leaves_, which.plane * shape_.leaves + which.index, fault.rate);
    for (std::uint32_t spine = 0; spine < shape_.spines; ++spine) leaf_spine(which.index, spine);
  } else if (which.level == ClosLevel::Spine) {
    const auto [block, spine] = spine_place(shape_, which.index);
    for (std::uint32_t leaf = shape_.first_leaf[block]; leaf < shape_.first_leaf[block + 1];
         ++leaf) {
      leaf_spine(leaf, spine);
    }
    for (std::uint32_t place = 0; place < shape_.cores_per_group(); ++place) {
      spine_core(which.index, place);
    }
  } else {
    const std::uint32_t group = which.index / shape_.cores_per_group();
    for (std::uint32_t spine = 0; spine < shape_.spine_count(); ++spine) {
      if (spine % shape_.spines % shape_.core_groups != group) continue;
      spine_core(spine, which.index % shape_.cores_per_group());
    }
  }
}

// A dead one would leave the NIC without its port: that is a dead NIC to NCCL.
void ClosCables::apply_to_nic(const FabricFault& fault, std::uint32_t port, const std::string& nic,
                              const std::string& leaf) {
  const ClosSwitch which = find_switch(shape_, fault, leaf);
  const std::uint32_t own = shape_.leaf_of_port[port];
  if (which.level != ClosLevel::Leaf || which.index != own) {
    refuse(fault,
           fmt::format("no cable joins {} and {}", quote_text(fault.from), quote_text(fault.to)),
           fmt::format("{} hangs on {}", nic,
                       clos_switch_name(shape_, {ClosLevel::Leaf, which.plane, own})));
  }
  if (fault.cables > 1) {
    refuse(fault, fmt::format("{} hangs on one cable", nic), "leave cables out");
  }
  if (fault.rate <= 0) {
    refuse(fault, "a NIC whose cable is dead is a dead NIC",
           fmt::format("nic = \"{}\" instead of from and to", nic));
  }
  lessen(nics_, which.plane * port_count_ + port, fault.rate);
}

void ClosCables::apply_between(const FabricFault& fault) {
  ClosSwitch lower = find_switch(shape_, fault, fault.from);
  ClosSwitch upper = find_switch(shape_, fault, fault.to);
  if (upper.level < lower.level) std::swap(lower, upper);
  apply_between(fault, lower, upper);
}

void ClosCables::apply_between(const FabricFault& fault, const ClosSwitch& lower,
                               const ClosSwitch& upper) {
  std::uint32_t first = 0, cables = 0;
  Shares* shares = &leaf_cables_;
  if (lower.plane == upper.plane && lower.level == ClosLevel::Leaf &&
      upper.level == ClosLevel::Spine) {
    const auto [block, spine] = spine_place(shape_, upper.index);
    if (shape_.block_of_leaf[lower.index] == block) cables = shape_.cables_per_spine;
    first = leaf_cable_number(lower.plane, lower.index, spine, 0);
  } else if (lower.plane == upper.plane && lower.level == ClosLevel::Spine &&
             upper.level == ClosLevel::Core) {
    const std::uint32_t group = upper.index / shape_.cores_per_group();
    if (lower.index % shape_.spines % shape_.core_groups == group) cables = shape_.cables_per_core;
    first = spine_cable_number(lower.plane, lower.index, upper.index % shape_.cores_per_group(), 0);
    shares = &spine_cables_;
  }
  if (cables == 0) {
    refuse(fault,
           fmt::format("no cable joins {} and {}", quote_text(fault.from), quote_text(fault.to)),
           "name two switches of neighbouring tiers that are cabled to each other");
  }
  lessen_some(fault, *shares, first, cables);
}

// `fault.cables` of the `count` cables from number `first`: those that no other fault touched.
void ClosCables::lessen_some(const FabricFault& fault, Shares& shares, std::uint32_t first,
                             std::uint32_t count) {
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t number = first; number < first + count; ++number) {
    if (fault.cables == 0 || share_of(shares, number) == 1) chosen.push_back(number);
  }
  if (fault.cables > static_cast<std::int64_t>(chosen.size())) {
    refuse(
        fault,
        fmt::format("the fault names {} cables between {} and {}; whole are {} of {}", fault.cables,
                    quote_text(fault.from), quote_text(fault.to), chosen.size(), count),
        "name no more than are whole, or leave cables out for all");
  }
  if (fault.cables > 0) chosen.resize(static_cast<std::size_t>(fault.cables));
  for (const std::uint32_t number : chosen) lessen(shares, number, fault.rate);
}

}  // namespace ringspan
