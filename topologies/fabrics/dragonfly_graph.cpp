#include "topologies/fabrics/dragonfly_graph.h"

#include <fmt/format.h>

namespace ringspan {

namespace {

constexpr std::uint32_t kLocal = 1;
constexpr std::uint32_t kGlobal = 2;

}  // namespace

std::uint32_t DragonflyGraph::link_count() const {
  return first_global() + shape_.groups * shape_.global_ends();
}

SwitchBundle DragonflyGraph::local(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t own = from % shape_.switches_per_group;
  const std::uint32_t peer = to % shape_.switches_per_group;
  const std::uint32_t slot = peer < own ? peer : peer - 1;
  return {from,
          to,
          from * shape_.local_ports() + slot * shape_.local_cables,
          shape_.local_cables,
          shape_.local_cables,
          kLocal};
}

SwitchBundle DragonflyGraph::global(std::uint32_t from_group, std::uint32_t to_group,
                                    std::uint32_t cable) const {
  const std::uint32_t further = (to_group + shape_.groups - from_group - 1) % shape_.groups;
  return numbered_global(from_group, further * shape_.global_cables + cable);
}

SwitchBundle DragonflyGraph::numbered_global(std::uint32_t group, std::uint32_t number) const {
  const std::uint32_t further = number / shape_.global_cables;
  const std::uint32_t cable = number % shape_.global_cables;
  const std::uint32_t there = (group + further + 1) % shape_.groups;
  const std::uint32_t back = shape_.groups - 2 - further;  // as the other group counts
  return {gateway(group, number),
          gateway(there, back * shape_.global_cables + cable),
          first_global() + group * shape_.global_ends() + number,
          1,
          1,
          kGlobal};
}

void DragonflyGraph::bundles(std::uint32_t at, std::vector<SwitchBundle>& out) const {
  out.clear();
  const std::uint32_t group = group_of(at);
  const std::uint32_t first = group * shape_.switches_per_group;
  for (std::uint32_t peer = first; peer < first + shape_.switches_per_group; ++peer) {
    if (peer != at) out.push_back(local(at, peer));
  }
  for (std::uint32_t number = at - first; number < shape_.global_ends();
       number += shape_.switches_per_group) {
    out.push_back(numbered_global(group, number));
  }
}

SwitchBundle DragonflyGraph::bundle_of(std::uint32_t link) const {
  if (link >= first_global()) {
    const std::uint32_t number = link - first_global();
    return numbered_global(number / shape_.global_ends(), number % shape_.global_ends());
  }
  const std::uint32_t from = link / shape_.local_ports();
  const std::uint32_t slot = link % shape_.local_ports() / shape_.local_cables;
  const std::uint32_t own = from % shape_.switches_per_group;
  return local(from, from - own + (slot < own ? slot : slot + 1));
}

std::string DragonflyGraph::switch_name(std::uint32_t number) const {
  return fmt::format("group{}.switch{}", group_of(number), number % shape_.switches_per_group);
}

std::optional<std::uint32_t> DragonflyGraph::find_switch(std::string_view name) const {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto group = number_after("group", name.substr(0, dot), shape_.groups);
  const auto place = number_after("switch", name.substr(dot + 1), shape_.switches_per_group);
  if (!group || !place) return std::nullopt;
  return *group * shape_.switches_per_group + *place;
}

}  // namespace ringspan
