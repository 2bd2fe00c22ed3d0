// Routes over all ways at once, in equal parts at every fork.

#include <vector>

#include "topologies/fabrics/clos_fabric.h"

namespace ringspan {

namespace {

// Splits `share` evenly over the ways that are usable.
template <typename Usable, typename Take>
void split(double share, std::uint32_t ways, Usable usable, Take take) {
  std::uint32_t count = 0;
  for (std::uint32_t way = 0; way < ways; ++way) count += usable(way) ? 1 : 0;
  for (std::uint32_t way = 0; way < ways; ++way) {
    if (usable(way)) take(way, share / count);
  }
}

}  // namespace

// Calls append(plane, height, share) for every plane that takes a part.
template <typename Append>
void ClosFabric::over_planes(const FlowKey& flow, FabricRoute& out, Append append) const {
  out.uses.clear();
  const std::uint32_t from = shape_.leaf_of_port[flow.source];
  const std::uint32_t to = shape_.leaf_of_port[flow.destination];
  if (!joins(flow.source, flow.destination)) refuse_route(from, to);
  const Climb height = climb(from, to);
  set_length(height, out);
  split(
      1, shape_.planes, [&](std::uint32_t plane) { return plane_joins(plane, from, to); },
      [&](std::uint32_t plane, double share) { append(plane, height, share); });
  sort_by_stage(out);
}

void ClosFabric::even_route(const FlowKey& flow, FabricRoute& out) const {
  if (pooled()) {
    route(flow, out);
    return;
  }
  over_planes(flow, out, [&](std::uint32_t plane, Climb height, double share) {
    append_ends(plane, flow, height, share, out);
    if (height > ToLeaf) even_ways(plane, flow, height, share, out);
  });
}

void ClosFabric::even_ends(const FlowKey& flow, FabricRoute& out) const {
  if (pooled()) {
    Fabric::even_ends(flow, out);
    return;
  }
  over_planes(flow, out, [&](std::uint32_t plane, Climb height, double share) {
    append_ends(plane, flow, height, share, out);
  });
}

// The cables of the two NICs.
void ClosFabric::append_ends(std::uint32_t plane, const FlowKey& ports, Climb height, double share,
                             FabricRoute& out) const {
  const auto part = static_cast<float>(share);
  out.uses.push_back({port_link(PortUp, plane, ports.source), part, 0});
  out.uses.push_back({port_link(PortDown, plane, ports.destination), part, last_stage(height)});
}

// What lies between them.
void ClosFabric::even_ways(std::uint32_t plane, const FlowKey& ports, Climb height, double share,
                           FabricRoute& out) const {
  const std::uint32_t from = shape_.leaf_of_port[ports.source];
  const std::uint32_t to = shape_.leaf_of_port[ports.destination];
  const auto add = [&](std::uint32_t link, double part, std::uint32_t stage) {
    out.uses.push_back({link, static_cast<float>(part), stage});
  };
  std::vector<double> spines(shape_.spines, 0);
  split(
      share, shape_.leaf_uplinks(),
      [&](std::uint32_t way) { return leaf_way(plane, from, way, to); },
      [&](std::uint32_t way, double part) {
        const std::uint32_t spine = way % shape_.spines;
        add(first_[LeafUp] + cables_.leaf_cable_number(plane, from, spine, way / shape_.spines),
            part, 1);
        spines[spine] += part;
      });
  if (height == ToCore) spines = even_over_cores(plane, from, to, spines, out);
  for (std::uint32_t spine = 0; spine < shape_.spines; ++spine) {
    split(
        spines[spine], spines[spine] > 0 ? shape_.cables_per_spine : 0,
        [&](std::uint32_t cable) { return cables_.leaf_cable(plane, to, spine, cable) > 0; },
        [&](std::uint32_t cable, double part) {
          add(first_[LeafDown] + cables_.leaf_cable_number(plane, to, spine, cable), part,
              last_stage(height) - 1);
        });
  }
}

// `shares`: what each spine of the sender's block has; returns what each of the receiver's gets.
std::vector<double> ClosFabric::even_over_cores(std::uint32_t plane, std::uint32_t from,
                                                std::uint32_t to, const std::vector<double>& shares,
                                                FabricRoute& out) const {
  const std::uint32_t block = shape_.block_of_leaf[from], other = shape_.block_of_leaf[to];
  std::vector<double> cores(shape_.cores, 0), reached(shape_.spines, 0);
  for (std::uint32_t spine = 0; spine < shape_.spines; ++spine) {
    split(
        shares[spine], shares[spine] > 0 ? shape_.spine_uplinks() : 0,
        [&](std::uint32_t way) { return spine_way(plane, block, spine, way, to); },
        [&](std::uint32_t way, double part) {
          const std::uint32_t place = way % shape_.cores_per_group();
          const std::uint32_t cable = cables_.spine_cable_number(
              plane, block * shape_.spines + spine, place, way / shape_.cores_per_group());
          out.uses.push_back({first_[SpineUp] + cable, static_cast<float>(part), 2});
          cores[shape_.core_number(spine % shape_.core_groups, place)] += part;
        });
  }
  for (std::uint32_t core = 0; core < shape_.cores; ++core) {
    const std::uint32_t group = core / shape_.cores_per_group();
    const auto spine_of = [&](std::uint32_t way) {
      return group + way % shape_.spines_per_group() * shape_.core_groups;
    };
    split(
        cores[core], cores[core] > 0 ? shape_.spines_per_group() * shape_.cables_per_core : 0,
        [&](std::uint32_t way) {
          return core_way(plane, core, to, spine_of(way), way / shape_.spines_per_group());
        },
        [&](std::uint32_t way, double part) {
          const std::uint32_t cable = cables_.spine_cable_number(
              plane, other * shape_.spines + spine_of(way), core % shape_.cores_per_group(),
              way / shape_.spines_per_group());
          out.uses.push_back({first_[SpineDown] + cable, static_cast<float>(part), 3});
          reached[spine_of(way)] += part;
        });
  }
  return reached;
}

}  // namespace ringspan
