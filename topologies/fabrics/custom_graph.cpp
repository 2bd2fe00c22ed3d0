#include "topologies/fabrics/custom_graph.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ringspan {

CustomGraph::CustomGraph(std::vector<std::string> names, const std::vector<Cables>& cables,
                         bool pooled)
    : names_(std::move(names)) {
  for (std::uint32_t number = 0; number < names_.size(); ++number) {
    numbers_.emplace(names_[number], number);
  }
  bundles_.reserve(2 * cables.size());
  for (const Cables& some : cables) {
    const std::uint32_t links = pooled ? 1 : some.count;
    bundles_.push_back({some.a, some.b, 0, links, some.count, some.kind});
    bundles_.push_back({some.b, some.a, 0, links, some.count, some.kind});
  }
  // Stable, so that what joins the same two switches stays in the order written.
  std::stable_sort(bundles_.begin(), bundles_.end(),
                   [](const SwitchBundle& a, const SwitchBundle& b) {
                     return std::tie(a.from, a.to) < std::tie(b.from, b.to);
                   });
  first_.assign(names_.size() + 1, 0);
  for (SwitchBundle& bundle : bundles_) {
    bundle.first_link = link_count_;
    link_count_ += bundle.links;
    ++first_[bundle.from + 1];
  }
  for (std::size_t at = 1; at < first_.size(); ++at) first_[at] += first_[at - 1];
}

void CustomGraph::bundles(std::uint32_t at, std::vector<SwitchBundle>& out) const {
  out.assign(bundles_.begin() + static_cast<std::ptrdiff_t>(first_[at]),
             bundles_.begin() + static_cast<std::ptrdiff_t>(first_[at + 1]));
}

SwitchBundle CustomGraph::bundle_of(std::uint32_t link) const {
  const auto after = std::upper_bound(
      bundles_.begin(), bundles_.end(), link,
      [](std::uint32_t number, const SwitchBundle& bundle) { return number < bundle.first_link; });
  return *(after - 1);
}

std::optional<std::uint32_t> CustomGraph::find_switch(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ringspan
