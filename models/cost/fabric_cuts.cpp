#include "models/cost/fabric_cuts.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace ringspan {

namespace {

bool is_fabric_device(const Topology& topology, NodeId id) {
  const DeviceKind kind = topology.device(id).kind;
  return kind == DeviceKind::Gpu || kind == DeviceKind::NvSwitch;
}

bool is_host(const Topology& topology, NodeId id) {
  const DeviceKind kind = topology.device(id).kind;
  return kind == DeviceKind::PcieSwitch || kind == DeviceKind::Cpu;
}

// island[device]: the lowest device it hangs together with, over links between devices that `joins`
// admits; -1 for other devices.
template <typename Joins>
std::vector<std::int64_t> islands(const Topology& topology, Joins joins) {
  std::vector<std::int64_t> island(topology.devices().size(), -1);
  for (std::uint32_t i = 0; i < island.size(); ++i) {
    if (!joins(NodeId{i}) || island[i] >= 0) continue;
    island[i] = i;
    std::queue<NodeId> open;
    open.push(NodeId{i});
    while (!open.empty()) {
      const NodeId at = open.front();
      open.pop();
      for (const LinkId id : topology.out_links(at)) {
        const NodeId next = topology.link(id).to;
        if (!joins(next) || island[next.index()] >= 0) continue;
        island[next.index()] = i;
        open.push(next);
      }
    }
  }
  return island;
}

// Groups all devices by owner[device] (-1: in none), in ascending order of owners.
CutFamily grouped(const Topology& topology, const std::vector<std::int64_t>& owner,
                  std::string_view label, std::string together) {
  std::map<std::int64_t, std::vector<NodeId>> groups;
  for (std::uint32_t i = 0; i < owner.size(); ++i) {
    if (owner[i] >= 0) groups[owner[i]].push_back(NodeId{i});
  }
  CutFamily family;
  family.together = std::move(together);
  for (auto& [number, devices] : groups) {
    const Device& head = topology.device(NodeId{static_cast<std::uint32_t>(number)});
    family.cuts.push_back({fmt::format(fmt::runtime(label), head.name), std::move(devices)});
  }
  return family;
}

// Devices that hang under a host device. A NIC is no way out of its switch to GPUs of the server.
bool is_leaf(const Topology& topology, NodeId id) {
  const DeviceKind kind = topology.device(id).kind;
  return kind == DeviceKind::Gpu || kind == DeviceKind::Nic;
}

// The host device a leaf hangs under: the first one it is linked to.
std::optional<NodeId> host_of(const Topology& topology, NodeId leaf) {
  for (const LinkId id : topology.out_links(leaf)) {
    const NodeId to = topology.link(id).to;
    if (is_host(topology, to)) return to;
  }
  return std::nullopt;
}

void add_leaves(const Topology& topology, std::vector<std::int64_t>& owner) {
  for (std::uint32_t i = 0; i < owner.size(); ++i) {
    if (!is_leaf(topology, NodeId{i})) continue;
    const std::optional<NodeId> host = host_of(topology, NodeId{i});
    if (host) owner[i] = owner[host->index()];
  }
}

// A GPU and the NVSwitches it is linked to are one board: DGX-2 has two, joined by their switches.
CutFamily boards(const Topology& topology) {
  std::vector<std::int64_t> owner(topology.devices().size(), -1);
  for (const NodeId gpu : topology.gpus()) {
    std::int64_t found = -1;
    for (const LinkId id : topology.out_links(gpu)) {
      const NodeId nvswitch = topology.link(id).to;
      if (topology.device(nvswitch).kind != DeviceKind::NvSwitch) continue;
      if (found < 0) found = owner[nvswitch.index()] >= 0 ? owner[nvswitch.index()] : gpu.value;
      owner[nvswitch.index()] = found;
    }
    owner[gpu.index()] = found;
  }
  return grouped(topology, owner, "the NVSwitch board of {}", "the NVSwitch boards together");
}

CutFamily switch_leaves(const Topology& topology) {
  std::vector<std::int64_t> owner(topology.devices().size(), -1);
  for (std::uint32_t i = 0; i < owner.size(); ++i) {
    if (topology.devices()[i].kind == DeviceKind::PcieSwitch) owner[i] = i;
  }
  add_leaves(topology, owner);
  CutFamily family = grouped(topology, owner, "the GPUs under {}", "the PCIe switches together");
  family.below_memory = true;
  return family;
}

// Host devices by the CPU nearest to them.
struct HostTree {
  std::vector<std::int64_t> cpu;
  std::vector<std::int32_t> depth;
};

HostTree host_tree(const Topology& topology) {
  HostTree tree{std::vector<std::int64_t>(topology.devices().size(), -1),
                std::vector<std::int32_t>(topology.devices().size(), -1)};
  std::queue<NodeId> open;
  for (std::uint32_t i = 0; i < tree.cpu.size(); ++i) {
    if (topology.devices()[i].kind != DeviceKind::Cpu) continue;
    tree.cpu[i] = i;
    tree.depth[i] = 0;
    open.push(NodeId{i});
  }
  while (!open.empty()) {
    const NodeId at = open.front();
    open.pop();
    for (const LinkId id : topology.out_links(at)) {
      const NodeId next = topology.link(id).to;
      if (!is_host(topology, next) || tree.cpu[next.index()] >= 0) continue;
      tree.cpu[next.index()] = tree.cpu[at.index()];
      tree.depth[next.index()] = tree.depth[at.index()] + 1;
      open.push(next);
    }
  }
  return tree;
}

// PCIe switches above other PCIe switches, with all that hangs under them.
CutFamily switch_trees(const Topology& topology, const HostTree& tree) {
  CutFamily family;
  family.below_memory = true;
  std::vector<std::int64_t> seen_by(topology.devices().size(), -1);
  for (std::uint32_t i = 0; i < topology.devices().size(); ++i) {
    if (topology.devices()[i].kind != DeviceKind::PcieSwitch || tree.depth[i] < 0) continue;
    std::vector<NodeId> below{NodeId{i}};
    std::vector<NodeId> leaves;
    seen_by[i] = i;
    for (std::size_t k = 0; k < below.size(); ++k) {
      for (const LinkId id : topology.out_links(below[k])) {
        const NodeId next = topology.link(id).to;
        if (seen_by[next.index()] == i) continue;
        const DeviceKind kind = topology.device(next).kind;
        const bool leaf = is_leaf(topology, next) && host_of(topology, next) == below[k];
        const bool deeper = kind == DeviceKind::PcieSwitch &&
                            tree.depth[next.index()] > tree.depth[below[k].index()];
        if (leaf || deeper) seen_by[next.index()] = i;
        if (leaf) leaves.push_back(next);
        if (deeper) below.push_back(next);
      }
    }
    if (below.size() == 1) continue;  // one of switch_leaves()
    below.insert(below.end(), leaves.begin(), leaves.end());
    family.cuts.push_back({"all GPUs under " + topology.devices()[i].name, std::move(below)});
  }
  return family;
}

}  // namespace

bool is_nvlink_fabric(const Topology& topology, const Link& link) {
  return link.link_class != LinkClass::Pcie && is_fabric_device(topology, link.from) &&
         is_fabric_device(topology, link.to);
}

std::vector<CutFamily> fabric_cuts(const Topology& topology, std::span<const NodeId> gpus) {
  std::vector<CutFamily> families(1);
  families[0].together = "the GPUs together";
  for (const NodeId gpu : gpus) {
    families[0].cuts.push_back({topology.device(gpu).name, {gpu}});
  }
  families.push_back(boards(topology));
  families.push_back(grouped(
      topology, islands(topology, [&](NodeId id) { return is_fabric_device(topology, id); }),
      "the GPUs joined to {} by NVLink", "the islands of NVLink together"));
  families.push_back(switch_leaves(topology));
  HostTree tree = host_tree(topology);
  families.push_back(switch_trees(topology, tree));
  add_leaves(topology, tree.cpu);
  families.push_back(grouped(topology, tree.cpu, "the GPUs of {}", "the CPUs together"));
  return families;
}

bool joined_by_nvlink(const Topology& topology, std::span<const NodeId> gpus) {
  const std::vector<std::int64_t> over_switches = islands(
      topology, [&](NodeId id) { return topology.device(id).kind == DeviceKind::NvSwitch; });
  // What a GPU is linked to: GPUs by themselves, NVSwitches by their island.
  std::vector<std::vector<std::int64_t>> neighbours;
  for (const NodeId gpu : gpus) {
    std::vector<std::int64_t>& mine = neighbours.emplace_back();
    for (const LinkId id : topology.out_links(gpu)) {
      const Link& link = topology.link(id);
      if (!is_nvlink_fabric(topology, link)) continue;
      const std::int64_t island = over_switches[link.to.index()];
      mine.push_back(island >= 0 ? island : link.to.value);
    }
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  }
  // All on the same switches is the common case, and the only one with thousands of GPUs.
  const bool alike = std::all_of(neighbours.begin(), neighbours.end(), [&](const auto& mine) {
    return !mine.empty() && mine == neighbours.front();
  });
  if (alike) return true;
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < gpus.size(); ++b) {
      const bool direct = std::binary_search(neighbours[a].begin(), neighbours[a].end(),
                                             std::int64_t{gpus[b].value});
      std::vector<std::int64_t> common;
      std::set_intersection(neighbours[a].begin(), neighbours[a].end(), neighbours[b].begin(),
                            neighbours[b].end(), std::back_inserter(common));
      if (!direct && common.empty()) return false;
    }
  }
  return true;
}

bool joined_directly(const Topology& topology, std::span<const NodeId> gpus) {
  std::vector<char> takes_part(topology.devices().size(), 0);
  for (const NodeId gpu : gpus) takes_part[gpu.index()] = 1;
  return std::all_of(gpus.begin(), gpus.end(), [&](NodeId gpu) {
    std::set<NodeId> peers;
    for (const LinkId id : topology.out_links(gpu)) {
      const Link& link = topology.link(id);
      if (is_nvlink_fabric(topology, link) && takes_part[link.to.index()]) peers.insert(link.to);
    }
    return peers.size() + 1 == gpus.size();
  });
}

}  // namespace ringspan
