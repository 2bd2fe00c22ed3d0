#include "models/workloads/fabric_paths.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fmt/format.h"
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

// "gpu0 -> nvswitch0..3 (18 x nvlink4)" for links that leave one device, else the first and a
// count.
std::string merged_name(const Topology& topology, const std::vector<LinkId>& members) {
  const Link& first = topology.link(members.front());
  std::int64_t count = 0;
  bool fan_out = true;
  bool fan_in = true;
  for (const LinkId id : members) {
    const Link& link = topology.link(id);
    count += link.count;
    fan_out = fan_out && link.from == first.from && link.preset == first.preset;
    fan_in = fan_in && link.to == first.to && link.preset == first.preset;
  }
  const std::string& from = topology.device(first.from).name;
  const std::string& to = topology.device(first.to).name;
  const std::string unit = first.link_class == LinkClass::Pcie
                               ? fmt::format("{} x{}", first.preset, first.count)
                               : fmt::format("{} x {}", count, first.preset);
  if (members.size() == 1) return fmt::format("{} -> {} ({})", from, to, unit);
  if (fan_out) {
    const std::string& last = topology.device(topology.link(members.back()).to).name;
    return fmt::format("{} -> {} .. {} ({})", from, to, last, unit);
  }
  if (fan_in) {
    const std::string& last = topology.device(topology.link(members.back()).from).name;
    return fmt::format("{} .. {} -> {} ({})", from, last, to, unit);
  }
  return fmt::format("{} -> {} ({}) and {} more in series or parallel", from, to, unit,
                     members.size() - 1);
}

}  // namespace

FabricPaths::FabricPaths(const Topology& topology, std::span<const NodeId> gpus,
                         const Profile& profile)
    : topology_(&topology), gpus_(gpus), profile_(&profile), router_(topology) {}

std::uint32_t FabricPaths::path_index(std::span<const std::int32_t> sources,
                                      std::span<const std::int32_t> destinations) {
  const bool unicast = sources.size() == 1 && destinations.size() == 1;
  const std::uint64_t pair =
      unicast ? static_cast<std::uint64_t>(sources[0]) * gpus_.size() + destinations[0] : 0;
  Key key;
  if (unicast) {
    if (const auto found = unicast_.find(pair); found != unicast_.end()) return found->second;
  } else {
    key = {{sources.begin(), sources.end()}, {destinations.begin(), destinations.end()}};
    if (const auto found = switched_.find(key); found != switched_.end()) return found->second;
  }
  FabricPath path;
  path.sources.assign(sources.begin(), sources.end());
  path.destinations.assign(destinations.begin(), destinations.end());
  StagedLinks links;
  unicast ? add_unicast(path, links) : add_switched(path, links);
  const std::uint32_t index = add_path(std::move(path), std::move(links));
  if (unicast) {
    unicast_.emplace(pair, index);
  } else {
    switched_.emplace(std::move(key), index);
  }
  return index;
}

std::uint32_t FabricPaths::add_path(FabricPath path, StagedLinks links) {
  RINGSPAN_CHECK(!links.empty(), "a transfer crosses at least one link");
  paths_.push_back(std::move(path));
  path_links_.push_back(std::move(links));
  return static_cast<std::uint32_t>(paths_.size() - 1);
}

// Adds a link, which may come twice (two ports, one plane).
void FabricPaths::accumulate(StagedLinks& links, const RouteLink& more, std::uint32_t stage) {
  for (StagedLink& present : links) {
    if (present.use.link == more.link) {
      present.use.share += more.share;
      return;
    }
  }
  links.push_back({more, stage});
}

// Stripes run side by side: a link's stage is how many links lie before it.
void FabricPaths::add_unicast(FabricPath& path, StagedLinks& links) const {
  const Route route = router_.route(gpus_[path.sources[0]], gpus_[path.destinations[0]]);
  path.slowest_class = route.slowest_class;
  path.latency = route.latency;
  std::map<NodeId, std::uint32_t> depth;
  for (const RouteLink& link : route.links) {
    const Link& properties = topology_->link(link.link);
    const std::uint32_t stage = depth[properties.from];
    std::uint32_t& after = depth[properties.to];
    after = std::max(after, stage + 1);
    accumulate(links, link, stage);
  }
}

// Every source sends its bytes up to the switches once, every destination receives them once.
void FabricPaths::add_switched(FabricPath& path, StagedLinks& links) const {
  path.slowest_class = LinkClass::NvLink;
  for (const std::int32_t rank : path.sources) {
    const SwitchPort port = router_.switch_port(gpus_[rank]);
    for (const RouteLink& link : port.up) accumulate(links, link, 0);
    path.latency = std::max(path.latency, port.latency);
  }
  for (const std::int32_t rank : path.destinations) {
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
    resources_.push_back({merged_name(*topology_, group),
                          std::string(link_class_name(topology_->link(slowest).link_class)), rate});
  }
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    for (const auto& [use, stage] : path_links_[p]) {
      const std::uint32_t resource = resource_of_link[use.link.index()];
      auto& uses = paths_[p].uses;
      const bool known = std::any_of(uses.begin(), uses.end(), [&](const ResourceUse& present) {
        return present.resource == resource;
      });
      if (!known) uses.push_back({resource, use.share / reference[use.link.index()], stage});
    }
  }
  path_links_.clear();
}

}  // namespace ringspan
