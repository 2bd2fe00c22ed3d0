#include "topologies/fabrics/clos_derivation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ringspan {

namespace {

// Link numbers are 32 bits; half of them leave room for what a consumer adds.
constexpr std::int64_t kMostLinks = std::int64_t{1} << 31;

}  // namespace

ClosDerivation::ClosDerivation(const ClosKind& kind, const FabricInput& input,
                               const ClosRequest& request)
    : kind_(kind),
      input_(input),
      request_(request),
      config_(input.config),
      pods_(count_servers(input)) {
  port_rate_ = request.port.nominal.bits_per_second;
  if (kind.most_tiers > 1) {
    port_rate_ = std::max(port_rate_, request.up.nominal.bits_per_second);
  }
  if (kind.most_tiers > 2) {
    port_rate_ = std::max(port_rate_, request.core.nominal.bits_per_second);
  }
  shape_.planes = static_cast<std::uint32_t>(request.planes);
  // Ports of switches are counted by cables; only flows see that a NIC is slower.
  shape_.port = request.port;
  shape_.port.nominal = request.port_rate.value_or(request.port.nominal);
  shape_.up = request.up;
  shape_.core = request.core;
  shape_.rails_apart = kind.rails_apart;
  shape_.blocks_are_rails = kind.rails_apart || request.rail_blocks;
  shape_.leaves_per_group = kind.leaf_per_rail ? static_cast<std::uint32_t>(pods_.rails) : 1;
}

std::int64_t ClosDerivation::ports_for(std::int64_t cables, const FabricCable& cable) const {
  const std::int64_t share = port_rate_ / cable.nominal.bits_per_second;
  return (cables + share - 1) / share;
}

void ClosDerivation::run() {
  const bool one_tier =
      kind_.most_tiers == 1 || (kind_.least_tiers == 1 && one_leaf_per_rail_holds_all());
  if (one_tier) {
    derive_one_tier();
  } else {
    choose_servers_per_leaf();
    choose_uplinks();
    choose_tiers();
    if (shape_.tiers == 3) choose_pod();
    choose_spines();
    if (shape_.tiers == 3) choose_cores();
    if (!request_.radix) {
      note(fmt::format("radix = {}: {}", radix_,
                       radix_ == kUsualRadix ? "usual" : "what the largest switch needs"));
    }
  }
  check_size();
  place_ports(input_, pods_, servers_per_leaf_, shape_);
}

// All servers on one switch; in a rail-only fabric, on one per rail.
void ClosDerivation::derive_one_tier() {
  shape_.tiers = 1;
  pods_.merge();
  servers_per_leaf_ = request_.servers_per_leaf.value_or(pods_.servers());
  if (servers_per_leaf_ < pods_.servers()) {
    config_.fail("servers_per_leaf",
                 fmt::format("one tier is one leaf per rail, for all {} servers", pods_.servers()),
                 "raise servers_per_leaf, or write tiers = 2");
  }
  const std::int64_t cables = ports_per_leaf(servers_per_leaf_);
  const std::int64_t needed = ports_for(cables, request_.port);
  if (request_.radix && needed > *request_.radix) {
    const std::int64_t most = *request_.radix * (cables / needed) / ports_per_leaf(1);
    config_.fail("radix",
                 fmt::format("{} NIC ports do not fit a switch of {}", cables, *request_.radix),
                 most == 0 ? fmt::format("one server alone has {}; radix = {} holds all",
                                         ports_per_leaf(1), needed)
                 : kind_.rails_apart
                     ? fmt::format("at most {} servers with one tier; tiers = 2 reaches more", most)
                     : fmt::format("at most {} servers; kind = \"leaf-spine\" reaches more", most));
  }
  if (!request_.radix) {
    check_switch_size(needed, "switch");
    note(fmt::format("radix = {}: as many ports as the {} has cables", needed,
                     kind_.rails_apart ? "leaf of a rail" : "switch"));
  }
  shape_.ports_per_leaf = static_cast<std::uint32_t>(cables);
  shape_.leaves_per_block = static_cast<std::uint32_t>(leaves_in_all());
}

std::int64_t ClosDerivation::leaves_in_all() const {
  return pods_.groups(servers_per_leaf_) * shape_.leaves_per_group;
}

void ClosDerivation::check_switch_size(std::int64_t ports, std::string_view name) const {
  if (ports <= kMostSwitchPorts) return;
  config_.fail("kind", fmt::format("a {} would need {} ports", name, ports),
               fmt::format("a switch has at most {}; use a kind with more tiers, or smaller leaves",
                           kMostSwitchPorts));
}

void ClosDerivation::check_size() const {
  const std::int64_t ports = static_cast<std::int64_t>(input_.ports.size());
  const std::int64_t leaf_cables = leaves_in_all() * uplinks_;
  const std::int64_t spine_cables =
      shape_.tiers < 3 ? 0 : block_count() * shape_.spines * spine_uplinks_;
  const std::int64_t links = 2 * request_.planes * (ports + leaf_cables + spine_cables);
  if (links < kMostLinks) return;
  config_.fail("kind", fmt::format("{} NICs make a fabric of {} cables", ports, links / 2),
               fmt::format("at most {} cables", kMostLinks / 2));
}

}  // namespace ringspan
