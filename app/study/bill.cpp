#include "app/study/bill.h"

#include <algorithm>
#include <array>
#include <map>

namespace ringspan {

namespace {

using Counts = std::map<std::string, std::int64_t>;

constexpr double kNanosecondsPerMetre = 5;  // as read_cable_delay() takes them

void add_lines(BillItem item, const Counts& counts, std::vector<BillLine>& bill) {
  for (const auto& [name, count] : counts) bill.push_back({item, name, {}, count, 0, 0, {}});
}

bool is_rack(const DomainKind& kind) { return kind.servers() > 1; }

void count_domains(const Cluster& cluster, std::vector<BillLine>& bill) {
  std::vector<std::int64_t> domains(cluster.kinds().size());
  for (int d = 0; d < cluster.domain_count(); ++d) {
    ++domains[static_cast<std::size_t>(cluster.kind_of(d))];
  }
  Counts racks, servers, gpus, nics, switches;
  for (std::size_t k = 0; k < domains.size(); ++k) {
    const DomainKind& kind = cluster.kinds()[k];
    const std::string& name = kind.topology.name();
    if (is_rack(kind)) racks[name] += domains[k];
    servers[name] += domains[k] * kind.servers();
    for (const NodeId gpu : kind.gpus) gpus[kind.topology.gpu_model(gpu).name] += domains[k];
    for (const Device& device : kind.topology.devices()) {
      if (device.kind == DeviceKind::NvSwitch) switches[name] += domains[k];
    }
    nics[name] += domains[k] * static_cast<std::int64_t>(kind.nics.size());
  }
  std::erase_if(nics, [](const auto& entry) { return entry.second == 0; });
  add_lines(BillItem::Rack, racks, bill);
  add_lines(BillItem::Server, servers, bill);
  add_lines(BillItem::Gpu, gpus, bill);
  add_lines(BillItem::NvSwitch, switches, bill);
  add_lines(BillItem::Nic, nics, bill);
}

// A link of each tier. Links of a tier stand together, so a few thousand samples meet each of them.
std::map<std::string, FabricLink> links_of_tiers(const Fabric& fabric) {
  constexpr std::uint32_t kSamples = 4096;
  std::map<std::string, FabricLink> links;
  const std::uint32_t step = std::max(1U, fabric.link_count() / kSamples);
  for (std::uint32_t number = 0; number < fabric.link_count(); number += step) {
    FabricLink link = fabric.link(number);
    links.emplace(link.tier, std::move(link));
  }
  return links;
}

double metres_of(const FabricLink& link, const LinkPresets& presets) {
  const LinkPreset* const preset = presets.find(link.preset);
  if (preset == nullptr || link.latency <= preset->latency) return 0;
  return to_seconds(link.latency - preset->latency) * 1e9 / kNanosecondsPerMetre;
}

void count_fabric(const Fabric& fabric, const LinkPresets& presets, std::vector<BillLine>& bill) {
  const std::map<std::string, FabricLink> links = links_of_tiers(fabric);
  std::vector<BillLine> switches, cables;
  for (const FabricTier& tier : fabric.tiers()) {
    const auto found = links.find(tier.name);
    const std::string preset = found == links.end() ? std::string() : found->second.preset;
    const auto same = [&](const std::string& place) {
      return std::find_if(switches.begin(), switches.end(),
                          [&](const BillLine& line) { return line.place == place; });
    };
    // Cables between switches take a port at each end.
    if (const auto below = same(tier.below); below != switches.end()) below->ports += tier.cables;
    auto above = same(tier.above);
    const bool direct = tier.above == tier.below && above == switches.end() && !switches.empty();
    if (direct) above = switches.begin();
    if (above == switches.end()) {
      switches.push_back({BillItem::Switch, preset, tier.above, tier.switches, 0, 0, {}});
      above = switches.end() - 1;
    }
    above->ports += direct ? 2 * tier.cables : tier.cables;
    const double metres = found == links.end() ? 0 : metres_of(found->second, presets);
    cables.push_back({BillItem::Cable, preset, tier.name, tier.cables, 0, metres, {}});
  }
  bill.insert(bill.end(), switches.begin(), switches.end());
  bill.insert(bill.end(), cables.begin(), cables.end());
}

}  // namespace

std::string_view bill_item_name(BillItem item) {
  constexpr std::array<std::string_view, 7> kNames = {"rack",     "server", "GPU",  "NIC",
                                                      "NVSwitch", "switch", "cable"};
  return kNames[static_cast<std::size_t>(item)];
}

std::vector<BillLine> bill_of(const System& system, const LinkPresets& presets) {
  std::vector<BillLine> bill;
  count_domains(system.cluster, bill);
  if (system.cluster.fabric() != nullptr) count_fabric(*system.cluster.fabric(), presets, bill);
  return bill;
}

}  // namespace ringspan
