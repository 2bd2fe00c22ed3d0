#include "topologies/builders/nvlink_domain.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/limits.h"
#include "topologies/builders/link_rates.h"

namespace ringspan {

namespace {

constexpr std::int64_t kMostTrays = 1'024;
constexpr std::int64_t kMostSwitches = 1'024;

void check_class(const ConfigNode& table, const Link& link) {
  if (link.link_class == LinkClass::NvLink) return;
  table.fail(table.has("link") ? "link" : "class",
             fmt::format("GPUs are joined to NVSwitches by NVLink, not by {}",
                         link_class_name(link.link_class)),
             "link = \"nvlink5\"");
}

// Before anything is made.
void check_size(const DomainDraft& tray, const NvlinkDomain& domain, std::int64_t trays) {
  const auto devices = static_cast<std::int64_t>(tray.devices.size());
  const auto cables = static_cast<std::int64_t>(tray.cables.size());
  const std::int64_t ports = gpu_count(tray) * domain.switches;
  if (trays * devices + domain.switches <= kMaxDevices && trays * (cables + ports) <= kMaxLinks) {
    return;
  }
  domain.table.fail("servers",
                    fmt::format("a domain of {} trays has {} devices and {} links, too many", trays,
                                trays * devices + domain.switches, trays * (cables + ports)),
                    fmt::format("at most {} devices and {} links", kMaxDevices, kMaxLinks));
}

void add_tray(DomainDraft& draft, const DomainDraft& tray, std::int32_t number) {
  const auto first = static_cast<std::uint32_t>(draft.devices.size());
  for (std::size_t i = 0; i < tray.devices.size(); ++i) {
    Device device = tray.devices[i];
    device.server = number;
    draft.add_device(std::move(device), tray.networks[i]);
  }
  for (Cable cable : tray.cables) {
    cable.a = NodeId{cable.a.value + first};
    cable.b = NodeId{cable.b.value + first};
    draft.cables.push_back(cable);
  }
}

// Switch by switch, every GPU of every tray.
void add_switches(DomainDraft& draft, const NvlinkDomain& domain) {
  const auto link = static_cast<std::uint32_t>(draft.links.size());
  draft.links.push_back(domain.link);
  const auto in_trays = static_cast<std::uint32_t>(draft.devices.size());
  for (std::int64_t i = 0; i < domain.switches; ++i) {
    Device device;
    device.name = fmt::format("nvswitch{}", i);
    device.kind = DeviceKind::NvSwitch;
    device.server = kNoServer;
    device.multicast = domain.multicast;
    const NodeId id = draft.add_device(std::move(device));
    for (std::uint32_t gpu = 0; gpu < in_trays; ++gpu) {
      if (draft.devices[gpu].kind == DeviceKind::Gpu) {
        draft.cables.push_back({NodeId{gpu}, id, link, false});
      }
    }
  }
}

DomainDraft make_domain(const DomainDraft& tray, const NvlinkDomain& domain, std::int64_t trays) {
  check_size(tray, domain, trays);
  DomainDraft draft;
  draft.gpu_models = tray.gpu_models;
  draft.links = tray.links;
  draft.peer_reach = tray.peer_reach;
  draft.gpu_direct = tray.gpu_direct;
  draft.where = tray.where;
  for (std::int64_t i = 0; i < trays; ++i) add_tray(draft, tray, static_cast<std::int32_t>(i));
  add_switches(draft, domain);
  return draft;
}

void check_joined(const ServerList& list, const NvlinkDomain& domain) {
  const std::int64_t most = domain.servers;
  if (domain.scale_out || (list.pods.size() == 1 && list.servers() <= most)) return;
  const std::string message =
      list.pods.size() > 1
          ? fmt::format("{} [[pod]]s are {} NVLink domains, and nothing joins them",
                        list.pods.size(), list.pods.size())
          : fmt::format("{} trays are more than the {} of one NVLink domain", list.servers(), most);
  const std::string hint = fmt::format(
      "at most {} trays, or join several domains with a table [fabric.scale_out]", most);
  if (list.servers() > list.file_servers) throw InputError(list.asked_at, message, hint);
  domain.table.fail("servers", message, hint);
}

}  // namespace

std::optional<NvlinkDomain> read_nvlink_domain(const std::optional<ConfigNode>& fabric,
                                               const LinkPresets& presets,
                                               std::vector<std::string>& notes) {
  if (!fabric || fabric->text("kind") != "nvlink-domain") return std::nullopt;
  NvlinkDomain domain{*fabric, 1, 1, {}, true, std::nullopt};
  domain.servers = fabric->integer("servers", 1, kMostTrays);
  domain.switches = fabric->integer("switches", 1, kMostSwitches);
  domain.link = read_link_rates(*fabric, presets, notes, "links_per_switch");
  check_class(*fabric, domain.link);
  domain.multicast = fabric->boolean_or("multicast", true);
  domain.scale_out = fabric->find_child("scale_out");
  return domain;
}

ClusterDraft nvlink_domains(const ServerList& list, const NvlinkDomain& domain) {
  check_joined(list, domain);
  ClusterDraft draft;
  for (std::size_t pod = 0; pod < list.pods.size(); ++pod) {
    const DomainDraft& tray = list.types[list.pods[pod].type];
    const std::int64_t full = list.pods[pod].servers / domain.servers;
    const std::int64_t rest = list.pods[pod].servers % domain.servers;
    if (full > 0) {
      for (std::int64_t i = 0; i < full; ++i) {
        draft.add_domain(draft.kinds.size(), pod, static_cast<std::int32_t>(domain.servers));
      }
      draft.kinds.push_back(make_domain(tray, domain, domain.servers));
    }
    if (rest > 0) {
      draft.add_domain(draft.kinds.size(), pod, static_cast<std::int32_t>(rest));
      draft.kinds.push_back(make_domain(tray, domain, rest));
    }
  }
  return draft;
}

}  // namespace ringspan
