// Tiers, pods, spines and cores.

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/check.h"
#include "topologies/fabrics/clos_derivation.h"

namespace ringspan {

namespace {

std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> found;
  for (std::int64_t i = 1; i <= number; ++i) {
    if (number % i == 0) found.push_back(i);
  }
  return found;
}

}  // namespace

// Leaves of the largest block that two tiers would have.
std::int64_t ClosDerivation::largest_block() const {
  const std::int64_t groups = pods_.groups(servers_per_leaf_);
  return shape_.blocks_are_rails ? groups : groups * shape_.leaves_per_group;
}

// In how many spines a leaf's uplinks may end, fewest first.
std::vector<std::int64_t> ClosDerivation::spine_candidates() const {
  if (request_.spines) return {*request_.spines};
  if (request_.cables_per_spine) return {uplinks_ / *request_.cables_per_spine};
  return divisors(uplinks_);
}

UplinkDemand ClosDerivation::spine_demand(std::int64_t spines, std::int64_t leaves) const {
  return {leaves * (uplinks_ / spines), request_.up.nominal, request_.core.nominal,
          request_.spine.value_or(Oversubscription{})};
}

// What a spine needs to serve so many leaves.
std::int64_t ClosDerivation::spine_ports(std::int64_t spines, std::int64_t leaves) const {
  const std::int64_t down = ports_for(leaves * (uplinks_ / spines), request_.up);
  if (shape_.tiers < 3) return down;
  return down + ports_for(spine_demand(spines, leaves).at_least(), request_.core);
}

std::optional<std::int64_t> ClosDerivation::spines_that_fit(std::int64_t leaves) const {
  for (const std::int64_t spines : spine_candidates()) {
    if (spine_ports(spines, leaves) <= radix_) return spines;
  }
  return std::nullopt;
}

void ClosDerivation::choose_tiers() {
  if (kind_.most_tiers == 2 || request_.tiers) {
    shape_.tiers = static_cast<int>(request_.tiers.value_or(2));
    return;
  }
  const bool third_is_meant = request_.names_third_tier;
  shape_.tiers = 2;
  if (third_is_meant || !spines_that_fit(largest_block())) shape_.tiers = 3;
  note(shape_.tiers == 2
           ? fmt::format("tiers = 2: spines of {} ports reach all {} leaves", radix_,
                         leaves_in_all())
           : fmt::format("tiers = 3: {}", third_is_meant
                                              ? "the keys of a third tier are given"
                                              : fmt::format("{} leaves are more than spines of {} "
                                                            "ports reach",
                                                            leaves_in_all(), radix_)));
}

// The most leaves a spine can serve beside its own uplinks, whole groups; 0: not one group.
std::int64_t ClosDerivation::pod_that_fits() const {
  const std::int64_t group = shape_.leaves_per_group;
  const std::int64_t spines = spine_candidates().back();
  const std::int64_t all = pods_.groups(servers_per_leaf_) * group;
  const std::int64_t share = port_rate_ / request_.up.nominal.bits_per_second;
  std::int64_t leaves = std::min(all, radix_ * share) / group * group;
  for (; leaves > 0; leaves -= group) {
    const bool whole = !request_.spine || spine_demand(spines, leaves).exact();
    if (whole && spine_ports(spines, leaves) <= radix_) return leaves;
  }
  return 0;
}

void ClosDerivation::choose_pod() {
  const std::int64_t group = shape_.leaves_per_group;
  if (request_.servers_per_pod && (shape_.blocks_are_rails || pods_.count() > 1)) {
    config_.fail("servers_per_pod",
                 shape_.blocks_are_rails ? "spine_group = \"rail\" makes a block of every rail"
                                         : "the [[pod]] tables say which servers a pod has",
                 "remove servers_per_pod");
  }
  if (shape_.blocks_are_rails) {
    leaves_per_block_ = largest_block();
  } else if (pods_.count() > 1) {
    leaves_per_block_ = pods_.most_groups_of_a_pod(servers_per_leaf_) * group;
  } else {
    leaves_per_block_ = request_.servers_per_pod ? written_pod() : derived_pod();
  }
}

std::int64_t ClosDerivation::written_pod() const {
  const std::int64_t servers = *request_.servers_per_pod;
  if (servers % servers_per_leaf_ != 0) {
    const std::int64_t below = std::max<std::int64_t>(servers / servers_per_leaf_, 1);
    config_.fail("servers_per_pod",
                 fmt::format("a pod of {} servers is no whole number of leaves for {} servers",
                             servers, servers_per_leaf_),
                 fmt::format("servers_per_pod = {} or {}", below * servers_per_leaf_,
                             (below + 1) * servers_per_leaf_));
  }
  return servers / servers_per_leaf_ * shape_.leaves_per_group;
}

std::int64_t ClosDerivation::derived_pod() {
  const std::int64_t group = shape_.leaves_per_group;
  const std::int64_t leaves = pod_that_fits();
  if (leaves == 0) {
    config_.fail("radix",
                 fmt::format("a spine of {} ports cannot serve {} and the uplinks for them", radix_,
                             counted(group, "leaf", "leaves")),
                 "a larger radix, more spines with fewer cables to each, or servers_per_pod and no "
                 "radix");
  }
  note(fmt::format("servers_per_pod = {}: the {} leaves that a spine of {} ports serves",
                   leaves / group * servers_per_leaf_, leaves, radix_));
  return leaves;
}

// Under the written radix; as many as the spine candidates allow.
std::int64_t ClosDerivation::most_leaves_of_a_block() const {
  const std::int64_t spines = spine_candidates().back();
  const std::int64_t share = port_rate_ / request_.up.nominal.bits_per_second;
  std::int64_t leaves = radix_ * share;
  while (leaves > 0 && spine_ports(spines, leaves) > radix_) --leaves;
  return leaves;
}

void ClosDerivation::refuse_reach() const {
  const std::int64_t leaves = most_leaves_of_a_block();
  const std::int64_t groups = shape_.blocks_are_rails ? leaves : leaves / shape_.leaves_per_group;
  std::string hint = fmt::format("at most {} servers", groups * servers_per_leaf_);
  if (shape_.tiers == 3) {
    hint += " a pod; more pods, or a larger radix, reach more";
  } else if (kind_.most_tiers == 3) {
    hint += "; tiers = 3, or a larger radix, reaches more";
  } else if (kind_.name == "leaf-spine") {
    hint += "; kind = \"fat-tree\" with tiers = 3, or a larger radix, reaches more";
  } else {
    hint += "; a larger radix reaches more";
  }
  const std::int64_t block = shape_.tiers == 3 ? leaves_per_block_ : largest_block();
  const std::int64_t spines = spine_candidates().back();
  config_.fail("radix",
               fmt::format("{} leaves with {} to each of {} spines need spines of {} ports; "
                           "they have {}",
                           block, counted(uplinks_ / spines, "cable", "cables"), spines,
                           spine_ports(spines, block), radix_),
               hint);
}

void ClosDerivation::choose_spines() {
  const std::int64_t leaves = shape_.tiers == 3 ? leaves_per_block_ : largest_block();
  leaves_per_block_ = leaves;
  std::optional<std::int64_t> spines = spines_that_fit(leaves);
  if (!spines) {
    if (request_.radix) refuse_reach();
    spines = spine_candidates().back();
    radix_ = spine_ports(*spines, leaves);
    check_switch_size(radix_, "spine");
  }
  shape_.spines = static_cast<std::uint32_t>(*spines);
  shape_.cables_per_spine = static_cast<std::uint32_t>(uplinks_ / *spines);
  shape_.leaves_per_block = static_cast<std::uint32_t>(leaves);
  if (!request_.spines) {
    note(fmt::format("spines = {}{}: {} from each of {} leaves", *spines,
                     shape_.tiers == 3 ? " a pod" : (shape_.blocks_are_rails ? " a rail" : ""),
                     counted(uplinks_ / *spines, "cable", "cables"), leaves));
  }
}

// The most groups in which so many cores can be cabled evenly: group g has the cores that spine g,
// g + groups, ... of every block reach. 0: not evenly.
std::int64_t ClosDerivation::core_groups_for(std::int64_t cores) const {
  const std::vector<std::int64_t> groups = divisors(std::gcd<std::int64_t>(shape_.spines, cores));
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    if (spine_uplinks_ % (cores / *group) == 0) return *group;
  }
  return 0;
}

// The numbers of cores that can be cabled evenly, from few to many.
std::vector<std::int64_t> ClosDerivation::core_candidates() const {
  std::vector<std::int64_t> candidates;
  for (const std::int64_t groups : divisors(shape_.spines)) {
    for (const std::int64_t each : divisors(spine_uplinks_)) candidates.push_back(groups * each);
  }
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

// The fewest cores that the radix allows. The most there are have one cable to each spine.
std::int64_t ClosDerivation::fewest_cores() const {
  const std::int64_t all = block_count() * shape_.spines * spine_uplinks_;
  const std::vector<std::int64_t> candidates = core_candidates();
  for (const std::int64_t cores : candidates) {
    if (ports_for(all / cores, request_.core) <= radix_) return cores;
  }
  return candidates.back();
}

void ClosDerivation::check_written_cores(std::int64_t cores) const {
  const std::vector<std::int64_t> candidates = core_candidates();
  const auto above = std::lower_bound(candidates.begin(), candidates.end(), cores);
  if (above != candidates.end() && *above == cores) return;
  std::string hint = "cores = ";
  if (above != candidates.begin()) hint += fmt::format("{}", *(above - 1));
  if (above != candidates.end()) {
    hint += fmt::format("{}{}", above == candidates.begin() ? "" : " or ", *above);
  }
  config_.fail("cores",
               fmt::format("{} spines of a pod with {} uplinks each cannot be cabled evenly to {} "
                           "cores",
                           shape_.spines, spine_uplinks_, cores),
               hint);
}

std::int64_t ClosDerivation::block_count() const {
  if (shape_.blocks_are_rails) return pods_.rails;
  if (pods_.count() > 1) return pods_.count();
  return (leaves_in_all() + leaves_per_block_ - 1) / leaves_per_block_;
}

void ClosDerivation::check_core_radix(std::int64_t cores) {
  const std::int64_t all = block_count() * shape_.spines * spine_uplinks_;
  const std::int64_t needed = ports_for(all / cores, request_.core);
  if (needed <= radix_) return;
  if (!request_.radix) {
    radix_ = needed;
    check_switch_size(needed, "core");
    return;
  }
  const std::int64_t share = port_rate_ / request_.core.nominal.bits_per_second;
  const std::int64_t blocks =
      radix_ * share * cores / (std::int64_t{shape_.spines} * spine_uplinks_);
  std::string hint =
      fmt::format("at most {} {}", blocks, shape_.blocks_are_rails ? "rails" : "pods");
  if (!shape_.blocks_are_rails && pods_.count() == 1) {
    const std::int64_t groups = leaves_per_block_ / shape_.leaves_per_group;
    hint = fmt::format("at most {} servers", blocks * groups * servers_per_leaf_);
  }
  config_.fail(request_.cores ? "cores" : "radix",
               fmt::format("{} {} need cores of {} ports; they have {}", block_count(),
                           shape_.blocks_are_rails ? "rails" : "pods", needed, radix_),
               hint + "; a larger radix reaches more");
}

void ClosDerivation::choose_cores() {
  const UplinkDemand demand = spine_demand(shape_.spines, leaves_per_block_);
  spine_uplinks_ =
      request_.spine
          ? whole_uplinks(config_, demand, {"spine", "cores", "downlinks", request_.core.preset})
          : demand.at_least();
  note(fmt::format("{} uplinks of a spine: {} over {} downlinks", spine_uplinks_,
                   demand.ratio_of(spine_uplinks_), demand.down_cables));
  if (request_.cores) check_written_cores(*request_.cores);
  const std::int64_t cores = request_.cores ? *request_.cores : fewest_cores();
  check_core_radix(cores);
  const std::int64_t groups = core_groups_for(cores);
  RINGSPAN_CHECK(groups > 0, "cores are cabled evenly");
  shape_.cores = static_cast<std::uint32_t>(cores);
  shape_.core_groups = static_cast<std::uint32_t>(groups);
  shape_.cables_per_core = static_cast<std::uint32_t>(spine_uplinks_ / (cores / groups));
  if (!request_.cores) {
    note(fmt::format("cores = {}: {} pods x {} spines x {} uplinks over cores of {} ports", cores,
                     block_count(), shape_.spines, spine_uplinks_, radix_));
  }
}

}  // namespace ringspan
