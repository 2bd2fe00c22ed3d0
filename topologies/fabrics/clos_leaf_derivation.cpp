// Servers of a leaf and its uplinks.

#include <algorithm>

#include <fmt/format.h>

#include "topologies/fabrics/clos_derivation.h"

namespace ringspan {

namespace {

std::string either(std::string_view key, std::int64_t below, std::optional<std::int64_t> above) {
  if (!above || *above == below) return fmt::format("{} = {}", key, below);
  return fmt::format("{} = {} or {}", key, below, *above);
}

}  // namespace

std::int64_t ClosDerivation::ports_per_leaf(std::int64_t servers) const {
  return kind_.leaf_per_rail ? servers : servers * pods_.rails;
}

UplinkDemand ClosDerivation::leaf_demand(std::int64_t servers) const {
  return {ports_per_leaf(servers), request_.port.nominal, request_.up.nominal,
          request_.leaf.value_or(Oversubscription{})};
}

bool ClosDerivation::leaf_fits(std::int64_t servers, std::int64_t radix) const {
  const UplinkDemand demand = leaf_demand(servers);
  std::int64_t uplinks = demand.at_least();
  if (request_.spines && request_.cables_per_spine) {
    uplinks = *request_.spines * *request_.cables_per_spine;
  } else if (request_.leaf && !demand.exact()) {
    return false;
  } else {
    const std::int64_t spread = request_.spines.value_or(request_.cables_per_spine.value_or(1));
    if (request_.leaf && uplinks % spread != 0) return false;
    uplinks = (uplinks + spread - 1) / spread * spread;
  }
  return ports_for(demand.down_cables, request_.port) + ports_for(uplinks, request_.up) <= radix;
}

// The most servers a leaf of `radix` ports can serve with the uplinks they ask for; 0: none.
std::int64_t ClosDerivation::servers_that_fit(std::int64_t radix) const {
  const std::int64_t share = port_rate_ / request_.port.nominal.bits_per_second;
  std::int64_t servers = radix * share / ports_per_leaf(1);
  while (servers > 0 && !leaf_fits(servers, radix)) --servers;
  return servers;
}

// A rail-only fabric needs no spines where one leaf per rail serves every server.
bool ClosDerivation::one_leaf_per_rail_holds_all() const {
  if (request_.tiers) return *request_.tiers == 1;
  const bool spines_are_meant = request_.spines || request_.cables_per_spine || request_.leaf ||
                                config_.has("uplink") || config_.has("leaf_spine_cable");
  if (spines_are_meant || pods_.count() > 1) return false;
  if (request_.servers_per_leaf) return pods_.servers() <= *request_.servers_per_leaf;
  const std::int64_t needed = ports_for(ports_per_leaf(pods_.servers()), request_.port);
  return needed <= request_.radix.value_or(kUsualRadix);
}

void ClosDerivation::choose_servers_per_leaf() {
  radix_ = request_.radix.value_or(kUsualRadix);
  if (request_.servers_per_leaf) {
    servers_per_leaf_ = *request_.servers_per_leaf;
    return;
  }
  servers_per_leaf_ = servers_that_fit(radix_);
  if (servers_per_leaf_ == 0) {
    config_.fail("radix",
                 fmt::format("a leaf of {} ports cannot serve one server with its {} NIC ports and "
                             "the uplinks for them",
                             radix_, ports_per_leaf(1)),
                 "a larger radix, fewer uplinks by oversubscription, or servers_per_leaf and no "
                 "radix");
  }
  note(fmt::format("servers_per_leaf = {}: the most that a leaf of {} ports serves",
                   servers_per_leaf_, radix_));
}

// Both written: their product. It must be the ratio, where that is written too.
std::int64_t ClosDerivation::written_uplinks(const UplinkDemand& demand) const {
  const std::int64_t uplinks = *request_.spines * *request_.cables_per_spine;
  if (request_.leaf && (!demand.exact() || demand.whole() != uplinks)) {
    config_.fail("oversubscription",
                 fmt::format("{}:{} is {:.4g} uplinks of a leaf, but spines x cables_per_spine is "
                             "{}",
                             demand.ratio.down, demand.ratio.up, demand.value(), uplinks),
                 fmt::format("{} uplinks are \"{}\"; leave out one of the three", uplinks,
                             demand.ratio_of(uplinks)));
  }
  return uplinks;
}

void ClosDerivation::refuse_uneven(std::int64_t uplinks) const {
  const bool spines = request_.spines.has_value();
  const std::int64_t wanted = spines ? *request_.spines : *request_.cables_per_spine;
  const char* key = spines ? "spines" : "cables_per_spine";
  config_.fail(
      key,
      spines
          ? fmt::format("the {} uplinks of a leaf cannot be spread evenly over {} spines", uplinks,
                        wanted)
          : fmt::format("the {} uplinks of a leaf are no multiple of {} cables", uplinks, wanted),
      either(key, divisor_at_most(uplinks, wanted), divisor_at_least(uplinks, wanted)) +
          "; or leave oversubscription out and say spines and cables_per_spine");
}

// As many as the ratio asks for; without one, enough for 1:1.
std::int64_t ClosDerivation::derived_uplinks(const UplinkDemand& demand) {
  const std::int64_t spread = request_.spines.value_or(request_.cables_per_spine.value_or(1));
  if (request_.leaf) {
    const std::int64_t uplinks =
        whole_uplinks(config_, demand, {"leaf", "spines", "NIC ports", request_.up.preset});
    if (uplinks % spread != 0) refuse_uneven(uplinks);
    return uplinks;
  }
  return (demand.at_least() + spread - 1) / spread * spread;
}

void ClosDerivation::choose_uplinks() {
  const UplinkDemand demand = leaf_demand(servers_per_leaf_);
  const bool written = request_.spines && request_.cables_per_spine;
  uplinks_ = written ? written_uplinks(demand) : derived_uplinks(demand);
  shape_.ports_per_leaf = static_cast<std::uint32_t>(demand.down_cables);
  note(fmt::format("{} uplinks of a leaf: {} over {} NIC ports", uplinks_,
                   demand.ratio_of(uplinks_), demand.down_cables));
  check_leaf_radix();
}

void ClosDerivation::check_leaf_radix() {
  const std::int64_t down = shape_.ports_per_leaf;
  const std::int64_t needed = ports_for(down, request_.port) + ports_for(uplinks_, request_.up);
  if (needed <= radix_) return;
  if (!request_.radix) {
    check_switch_size(needed, "leaf");
    radix_ = needed;
    return;
  }
  const std::int64_t most = servers_that_fit(radix_);
  config_.fail("radix",
               fmt::format("a leaf needs {} ports for {} NIC ports and {} uplinks; it has {}",
                           needed, down, uplinks_, radix_),
               most > 0 ? fmt::format("servers_per_leaf = {} fits; or radix = {}", most, needed)
                        : fmt::format("radix = {}", needed));
}

}  // namespace ringspan
