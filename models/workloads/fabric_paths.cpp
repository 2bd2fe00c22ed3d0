#include "models/workloads/fabric_paths.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// A mixing of 64 bits (the finaliser of splitmix64): sums of these identify sets of paths.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// "gpu0", "nvswitch0 .. nvswitch3", or "psw0, cpu0" for devices of several kinds.
std::string device_names(const Topology& topology, const std::set<NodeId>& devices) {
  const DeviceKind kind = topology.device(*devices.begin()).kind;
  const bool alike = std::all_of(devices.begin(), devices.end(), [&](NodeId device) {
    return topology.device(device).kind == kind;
  });
  if (alike && devices.size() > 2) {
    return topology.device(*devices.begin()).name + " .. " +
           topology.device(*devices.rbegin()).name;
  }
  std::string text;
  for (const NodeId device : devices) {
    text += (text.empty() ? "" : ", ") + topology.device(device).name;
  }
  return text;
}

// The links beside the slowest one that do the same: "18 x nvlink4", "pcie4 x16".
std::string bundle_name(const Topology& topology, const std::vector<LinkId>& members,
                        LinkId slowest) {
  const Link& narrow = topology.link(slowest);
  if (narrow.link_class == LinkClass::Pcie) {
    return fmt::format("{} x{}", narrow.preset, narrow.count);
  }
  std::int64_t leaving = 0;
  std::int64_t entering = 0;
  for (const LinkId id : members) {
    const Link& link = topology.link(id);
    if (link.preset != narrow.preset) continue;
    if (link.from == narrow.from) leaving += link.count;
    if (link.to == narrow.to) entering += link.count;
  }
  return fmt::format("{} x {}", std::max(leaving, entering), narrow.preset);
}

// "gpu7 -> psw3 -> cpu1 -> cpu0 -> psw0 -> gpu0" where the links follow one another, from `start`;
// empty where they branch or do not hang together.
std::string walk_text(const Topology& topology, const std::vector<LinkId>& members, NodeId start) {
  std::map<NodeId, NodeId> next;
  for (const LinkId id : members) {
    const Link& link = topology.link(id);
    const auto [found, added] = next.emplace(link.from, link.to);
    if (!added && found->second != link.to) return {};
  }
  std::string text = topology.device(start).name;
  NodeId at = start;
  for (std::size_t step = 0; step < next.size(); ++step) {
    const auto found = next.find(at);
    if (found == next.end() || (step > 0 && at == start)) return {};
    at = found->second;
    text += " -> " + topology.device(at).name;
  }
  return text;
}

// "gpu0 -> nvswitch0 .. nvswitch3 -> gpu1 (18 x nvlink4)": where the merged links begin, what lies
// between, where they end, and what the slowest of them is.
std::string merged_name(const Topology& topology, const std::vector<LinkId>& members,
                        LinkId slowest) {
  std::set<NodeId> from, to, between;
  for (const LinkId id : members) {
    from.insert(topology.link(id).from);
    to.insert(topology.link(id).to);
  }
  std::set_intersection(from.begin(), from.end(), to.begin(), to.end(),
                        std::inserter(between, between.begin()));
  for (const NodeId device : between) {
    from.erase(device);
    to.erase(device);
  }
  const std::string bundle = bundle_name(topology, members, slowest);
  const NodeId start = from.empty() ? *between.begin() : *from.begin();
  const std::string walk = walk_text(topology, members, start);
  if (!walk.empty()) return fmt::format("{} ({})", walk, bundle);
  if (from.empty() || to.empty()) {  // a cycle: no beginning
    return fmt::format("around {} ({})", device_names(topology, between), bundle);
  }
  const std::string middle = between.empty() ? "" : " -> " + device_names(topology, between);
  return fmt::format("{}{} -> {} ({})", device_names(topology, from), middle,
                     device_names(topology, to), bundle);
}

}  // namespace

FabricPaths::FabricPaths(const Topology& topology, std::span<const NodeId> gpus,
                         const Profile& profile)
    : topology_(&topology),
      gpus_(gpus),
      profile_(&profile),
      router_(topology),
      place_(topology.links().size()) {}

std::uint32_t FabricPaths::path_index(std::span<const std::int32_t> sources,
                                      std::span<const std::int32_t> destinations) {
  if (const auto found = index_.find(sources, destinations)) return *found;
  const bool unicast = sources.size() == 1 && destinations.size() == 1;
  FabricPath path;
  StagedLinks links;
  unicast ? add_route(path, links, router_.route(gpus_[sources[0]], gpus_[destinations[0]]))
          : add_switched(path, links, sources, destinations);
  const std::uint32_t index = add_path(std::move(path), std::move(links));
  index_.add(sources, destinations, index);
  return index;
}

std::uint32_t FabricPaths::nic_path_index(std::int32_t rank, NodeId nic, bool to_nic, bool staged) {
  const auto [found, added] = nic_index_.try_emplace({rank, nic, to_nic, staged}, 0);
  if (added) {
    FabricPath path;
    StagedLinks links;
    add_route(path, links, router_.nic_route(gpus_[rank], nic, to_nic, staged));
    if (!staged) undo_kernel_share(links);
    found->second = add_path(std::move(path), std::move(links));
  }
  return found->second;
}

std::uint32_t FabricPaths::add_path(FabricPath path, StagedLinks links) {
  RINGSPAN_CHECK(!links.empty(), "a transfer crosses at least one link");
  paths_.push_back(std::move(path));
  path_links_.push_back(std::move(links));
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

// Adds a link, which may come twice (two ports, one plane).
void FabricPaths::accumulate(StagedLinks& links, const RouteLink& more, std::uint32_t stage) {
  auto& [path, place] = place_[more.link.index()];
  if (path == paths_.size() + 1) {
    links[place].use.share += more.share;
    return;
  }
  path = paths_.size() + 1;
  place = links.size();
  links.push_back({more, stage});
}

void FabricPaths::add_route(FabricPath& path, StagedLinks& links, const Route& route) {
  path.slowest_class = route.slowest_class;
  path.latency = route.latency;
  path.staged = route.staged;
  links.reserve(route.links.size());
  for (const RouteLink& link : route.links) {
    accumulate(links, link, static_cast<std::uint32_t>(link.stage));
  }
}

// A link's rate is what copying kernels get of it. A NIC reads and writes by itself and gets all.
void FabricPaths::undo_kernel_share(StagedLinks& links) const {
  for (StagedLink& link : links) {
    const Link& of = topology_->link(link.use.link);
    if (of.link_class != LinkClass::Pcie) continue;
    link.use.share *= profile_->share_of(of.link_class, of.preset);
  }
}

// Every source sends its bytes up to the switches once, every destination receives them once.
void FabricPaths::add_switched(FabricPath& path, StagedLinks& links,
                               std::span<const std::int32_t> sources,
                               std::span<const std::int32_t> destinations) {
  path.slowest_class = LinkClass::NvLink;
  for (const std::int32_t rank : sources) {
    const SwitchPort port = router_.switch_port(gpus_[rank]);
    for (const RouteLink& link : port.up) accumulate(links, link, 0);
    path.latency = std::max(path.latency, port.latency);
  }
  for (const std::int32_t rank : destinations) {
    const SwitchPort port = router_.switch_port(gpus_[rank]);
    for (const RouteLink& link : port.down) accumulate(links, link, 1);
    path.latency = std::max(path.latency, port.latency);
  }
}

void FabricPaths::finish() {
  // A link's signature sums, over the paths that use it, the path's hash times its share relative
  // to the link's first use: equal signatures mean proportional use.
  const std::size_t links = topology_->links().size();
  std::vector<std::uint64_t> signatures(links, 0);
  std::vector<double> reference(links, 0);
  constexpr double kResolution = 1 << 20;
  for (std::size_t p = 0; p < path_links_.size(); ++p) {
    for (const auto& [use, stage] : path_links_[p]) {
      double& first = reference[use.link.index()];
      if (first == 0) first = use.share;
      const auto ratio = static_cast<std::uint64_t>(std::llround(use.share / first * kResolution));
      signatures[use.link.index()] += mixed(p + 1) * ratio;
    }
  }
  merge_links(signatures, reference);
}

void FabricPaths::merge_links(const std::vector<std::uint64_t>& signatures,
                              const std::vector<double>& reference) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t l = 0; l < reference.size(); ++l) {
    if (reference[l] > 0) order.push_back(l);
  }
  // First by where the signature first appears, so that resources keep the links' order.
  std::map<std::uint64_t, std::uint32_t> resource_of_signature;
  std::vector<std::vector<LinkId>> members;
  std::vector<std::uint32_t> resource_of_link(reference.size(), 0);
  for (const std::uint32_t l : order) {
    const auto next = static_cast<std::uint32_t>(members.size());
    const auto [found, added] = resource_of_signature.emplace(signatures[l], next);
    if (added) members.emplace_back();
    members[found->second].push_back(LinkId{l});
    resource_of_link[l] = found->second;
  }
  for (const std::vector<LinkId>& group : members) {
    Bandwidth rate{};
    LinkId slowest = group.front();
    for (const LinkId id : group) {
      const Link& link = topology_->link(id);
      const double share = profile_->share_of(link.link_class, link.preset);
      const Bandwidth alone = scaled(link.payload(), share / reference[id.index()]);
      if (rate.bits_per_second == 0 || alone < rate) {
        rate = alone;
        slowest = id;
      }
    }
    resources_.push_back({merged_name(*topology_, group, slowest),
                          std::string(link_class_name(topology_->link(slowest).link_class)), rate});
  }
  std::vector<std::size_t> last_path(resources_.size(), paths_.size());
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    for (const auto& [use, stage] : path_links_[p]) {
      const std::uint32_t resource = resource_of_link[use.link.index()];
      if (last_path[resource] == p) continue;
      last_path[resource] = p;
      const double weight = use.share / reference[use.link.index()];
      paths_[p].uses.push_back({resource, stage, weight, paths_[p].staged ? weight : 0});
    }
  }
  path_links_.clear();
}

}  // namespace ringspan
