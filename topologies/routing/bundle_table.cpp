#include "topologies/routing/bundle_table.h"

#include <algorithm>

namespace ringspan {

BundleTable::BundleTable(const Topology& topology) : topology_(topology) {
  links_.reserve(topology.links().size());
  begin_.reserve(topology.devices().size() + 1);
  begin_.push_back(0);
  std::vector<LinkId> out;
  for (std::uint32_t device = 0; device < topology.devices().size(); ++device) {
    const auto out_links = topology.out_links(NodeId{device});
    out.assign(out_links.begin(), out_links.end());
    std::stable_sort(out.begin(), out.end(),
                     [&](LinkId a, LinkId b) { return topology.link(a).to < topology.link(b).to; });
    for (const LinkId id : out) {
      const Link& link = topology.link(id);
      if (bundles_.size() == begin_.back() || bundles_.back().to != link.to) {
        const auto at = static_cast<std::uint32_t>(links_.size());
        bundles_.push_back({link.from, link.to, at, at, 0.0, Duration::zero(), link.link_class});
      }
      links_.push_back(id);
      Bundle& bundle = bundles_.back();
      ++bundle.end;
      bundle.payload += static_cast<double>(link.payload().bits_per_second);
      bundle.latency = std::max(bundle.latency, link.latency);
      bundle.link_class = std::max(bundle.link_class, link.link_class);
    }
    begin_.push_back(static_cast<std::uint32_t>(bundles_.size()));
  }
}

std::span<const Bundle> BundleTable::from(NodeId device) const {
  const std::uint32_t begin = begin_[device.index()];
  return std::span(bundles_).subspan(begin, begin_[device.index() + 1] - begin);
}

const Bundle* BundleTable::between(NodeId from_device, NodeId to) const {
  const auto bundles = from(from_device);
  const auto found = std::lower_bound(bundles.begin(), bundles.end(), to,
                                      [](const Bundle& b, NodeId id) { return b.to < id; });
  return found != bundles.end() && found->to == to ? &*found : nullptr;
}

void BundleTable::append(const Bundle& bundle, double share, std::uint32_t stage,
                         std::vector<RouteLink>& links) const {
  if (bundle.end - bundle.begin == 1) {
    links.push_back({links_[bundle.begin], share, stage});
    return;
  }
  for (std::uint32_t i = bundle.begin; i < bundle.end; ++i) {
    const auto payload = static_cast<double>(topology_.link(links_[i]).payload().bits_per_second);
    links.push_back({links_[i], share * (payload / bundle.payload), stage});
  }
}

}  // namespace ringspan
