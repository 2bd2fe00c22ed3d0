#include "app/report/fabric_text.h"

#include <fmt/format.h>

#include <vector>

#include "app/report/cluster_pairs.h"
#include "app/report/nic_text.h"
#include "app/report/number_text.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

std::string rate(Bandwidth bandwidth) {
  return rate_text(static_cast<double>(bandwidth.bits_per_second) / 8.0);
}

// "4:1"; "1:2" where more goes up than comes from below.
std::string ratio_text(double ratio) {
  return ratio >= 1 ? significant(ratio, 3) + ":1" : "1:" + significant(1 / ratio, 3);
}

void append_tiers(const std::vector<FabricTier>& tiers, std::string& text) {
  text += fmt::format("\n{:<46} {:>9} {:>9} {:>14} {:>16}\n", "Tiers (one direction, nominal)",
                      "switches", "cables", "up", "oversubscription");
  for (const FabricTier& tier : tiers) {
    text +=
        fmt::format("  {:<44} {:>9} {:>9} {:>14} {:>16}\n",
                    fmt::format("{}: {} -> {}", tier.name, tier.below, tier.above), tier.switches,
                    tier.cables, rate(tier.up), ratio_text(tier.oversubscription));
  }
}

// Half of the NICs can send at most half of what all of them send.
void append_bisection(const Fabric& fabric, const FabricTier& ports, std::string& text) {
  const auto all = static_cast<double>(ports.up.bits_per_second);
  const auto across = static_cast<double>(fabric.bisection().bits_per_second);
  text += fmt::format(
      "  across the middle: {} each way, {} of what all NICs send ({}); 50 % is full bisection\n",
      rate(fabric.bisection()), percent(across / all), rate(ports.up));
}

template <typename Value, typename Text>
std::string range_text(const Range<Value>& range, Text text_of) {
  if (range.single()) return text_of(range.least);
  return text_of(range.least) + " .. " + text_of(range.most);
}

// "same leaf", "same pod", "different pods".
std::string level_text(const Fabric& fabric, std::size_t level) {
  const std::string attachment = fabric.tiers().front().above;
  const std::vector<FabricLevel> levels = fabric.levels();
  if (level == 0) return "same " + attachment;
  if (level <= levels.size()) return "same " + levels[level - 1].name;
  return "another " + (levels.empty() ? attachment : levels.back().name);
}

std::string_view rail_text(const PairLegs& legs) {
  if (legs.pxn) return ", another rail by PXN";
  return legs.same_rail ? ", same rail" : ", another rail";
}

std::string_view staging_text(const PairLegs& legs) {
  if (legs.send_direct) return legs.receive_direct ? "" : ", staged at the receiver";
  return legs.receive_direct ? ", staged at the sender" : ", staged at both ends";
}

void append_way(const Cluster& cluster, const ClusterPairClass& pairs, std::string& text) {
  const auto rates = [](Bandwidth bandwidth) { return rate(bandwidth); };
  const auto name = [&cluster](const GpuPlace& place) {
    const DomainKind& kind = cluster.domain(place.domain);
    return cluster.device_name(place.domain, kind.gpus[static_cast<std::size_t>(place.gpu)]);
  };
  text += fmt::format(
      "    {} switch{}, latency {}, nominal {}, payload {}, such as {} -> {}\n",
      range_text(pairs.switches, [](std::int32_t count) { return std::to_string(count); }),
      pairs.switches.most == 1 ? "" : "es",
      range_text(pairs.latency, [](Duration latency) { return format_duration(latency); }),
      range_text(pairs.nominal, rates), range_text(pairs.payload, rates), name(pairs.from),
      name(pairs.to));
}

void append_class(const Cluster& cluster, const ClusterPairClass& pairs, std::string& text) {
  text += fmt::format("  {}{}{}: {} pairs\n", level_text(*cluster.fabric(), pairs.level),
                      rail_text(pairs.legs), staging_text(pairs.legs), pairs.pairs);
  if (!pairs.legs.impossible.empty()) {
    text += "    not joined: " + pairs.legs.impossible + '\n';
    return;
  }
  if (pairs.cut_off < pairs.routed) append_way(cluster, pairs, text);
  const std::string of = pairs.all_routed ? "" : " that were looked at";
  if (pairs.cut_off > 0) {
    text += fmt::format("    not joined: {} of {} pairs of NICs{}: {}\n", pairs.cut_off,
                        pairs.routed, of, pairs.reason);
  }
  const bool all_alike = pairs.switches.single() && pairs.latency.single() &&
                         pairs.nominal.single() && pairs.payload.single();
  if (!all_alike && !pairs.all_routed) {
    text += fmt::format("    least and most of {} pairs of NICs{}\n", pairs.routed, of);
  }
}

void append_pair_classes(const Cluster& cluster, const Transport& transport, std::string& text) {
  const bool racks = cluster.server_count() != cluster.domain_count();
  text += fmt::format("\nGPU pairs of different {} (each direction counted; one transfer alone)\n",
                      racks ? "NVLink domains" : "servers");
  for (const ClusterPairClass& pairs : cluster_pair_classes(cluster, transport)) {
    append_class(cluster, pairs, text);
  }
}

void append_shape(const Fabric& fabric, std::string& text) {
  text += fmt::format("{}, routing {}{}\n", fabric.kind(), fabric.routing(),
                      fabric.reduces_in_network() ? ", reduction in the switches" : "");
  for (const std::string& note : fabric.notes()) text += "  " + note + '\n';
  const std::vector<FabricTier> tiers = fabric.tiers();
  append_tiers(tiers, text);
  append_bisection(fabric, tiers.front(), text);
}

}  // namespace

void append_fabric(const Cluster& cluster, const TransportOptions& options, std::string& text) {
  text += "\nFabric: ";
  append_shape(*cluster.fabric(), text);
  if (cluster.domain_count() > 1) {
    const Transport transport(cluster, options);
    append_pair_classes(cluster, transport, text);
    append_nics(cluster, transport, text);
  }
  append_rails(*cluster.fabric(), text);
}

void append_network(std::string_view name, const Fabric& fabric, std::string& text) {
  text += fmt::format("\nNetwork {}, which carries no collective traffic: ", name);
  append_shape(fabric, text);
}

}  // namespace ringspan
