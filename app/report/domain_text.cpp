#include "app/report/domain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "app/report/number_text.h"
#include "app/report/pair_classes.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

template <typename... Arguments>
void line(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
  text += '\n';
}

std::string rate(Bandwidth bandwidth) {
  return rate_text(static_cast<double>(bandwidth.bits_per_second) / 8.0);
}

// One direction of something at its three rates.
struct Capacity {
  int links = 0;
  Bandwidth raw, nominal, payload;

  void add(const Link& link) {
    links += link.count;
    raw = raw + link.raw;
    nominal = nominal + link.nominal;
    payload = payload + link.payload();
  }
};

void append_capacity(std::string& text, std::string_view what, const Capacity& capacity) {
  line(text, "  {:<52} {:>12} {:>12} {:>12}", what, rate(capacity.raw), rate(capacity.nominal),
       rate(capacity.payload));
}

std::string device_details(const Topology& topology, const Device& device) {
  if (device.kind == DeviceKind::Gpu) {
    const GpuModel& model = topology.gpu_models()[static_cast<std::size_t>(device.model)];
    return fmt::format("{}, {}", model.name, format_size(model.memory));
  }
  if (device.kind == DeviceKind::NvSwitch) {
    return device.multicast ? "multicast and in-switch reduction" : "no multicast";
  }
  return device.vendor;
}

void append_devices(const Topology& topology, std::string& text) {
  text += "\nDevices\n";
  std::vector<std::tuple<DeviceKind, std::string, int>> groups;
  for (const Device& device : topology.devices()) {
    const std::string details = device_details(topology, device);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& known) {
      return std::get<0>(known) == device.kind && std::get<1>(known) == details;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), {device.kind, details, 0});
    ++std::get<2>(*group);
  }
  for (const auto& [kind, details, count] : groups) {
    line(text, "  {:4} {}{}", count, device_kind_name(kind),
         details.empty() ? "" : " (" + details + ")");
  }
}

// Names are unique in a server, not in a rack.
std::string name_of(const Topology& topology, NodeId id) {
  const Device& device = topology.device(id);
  if (topology.server_count() == 1 || device.server == kNoServer) return device.name;
  return fmt::format("server{}.{}", device.server, device.name);
}

std::string path_text(const Topology& topology, const PairClass& pairs) {
  std::string text = name_of(topology, pairs.from);
  for (const NodeId node : pairs.route.via) text += " -> " + name_of(topology, node);
  return text + " -> " + name_of(topology, pairs.to);
}

std::string link_text(const Topology& topology, const Link& link) {
  return fmt::format("{} -> {} ({}{} {})", device_kind_name(topology.device(link.from).kind),
                     device_kind_name(topology.device(link.to).kind),
                     link.link_class == LinkClass::Pcie ? "x" : "", link.count, link.preset);
}

// Links of one kind that carry the same number of transfers are one line.
void append_shared(const Topology& topology, const PairClass& pairs, std::string& text) {
  struct Group {
    std::string link;
    int transfers = 0;
    int links = 0;
    std::string example;
  };
  std::vector<Group> groups;
  for (const auto& [id, transfers] : pairs.transfers) {
    if (transfers < 2) continue;
    const Link& link = topology.link(id);
    const std::string name = link_text(topology, link);
    auto group = std::find_if(groups.begin(), groups.end(), [&, count = transfers](const Group& g) {
      return g.link == name && g.transfers == count;
    });
    if (group == groups.end()) {
      group = groups.insert(
          groups.end(),
          {name, transfers, 0, name_of(topology, link.from) + " -> " + name_of(topology, link.to)});
    }
    ++group->links;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.transfers > b.transfers; });
  if (groups.empty()) text += "    shared: nothing, each pair has links of its own\n";
  for (const Group& group : groups) {
    line(text, "    shared: {}, such as {}: {} of them, each carries {} transfers of this class",
         group.link, group.example, group.links, group.transfers);
  }
}

void append_pairs(const Topology& topology, const std::vector<PairClass>& classes,
                  std::string& text) {
  text += "\nGPU pairs (per direction, one transfer alone)\n";
  if (classes.empty()) text += "  none: there is one GPU\n";
  for (const PairClass& pairs : classes) {
    line(text, "  {}{}: {} pair{}, nominal {}, payload {}, latency {}",
         path_kind_name(pairs.route.kind), pairs.route.staged ? ", staged" : "", pairs.pairs,
         pairs.pairs == 1 ? "" : "s", rate(pairs.nominal), rate(pairs.route.payload),
         format_duration(pairs.route.latency));
    line(text, "    path: {}", path_text(topology, pairs));
    if (pairs.route.staged) {
      line(text, "    staged through {}: {}", name_of(topology, pairs.route.staging),
           pairs.route.staging_reason);
    }
    append_shared(topology, pairs, text);
  }
}

std::string_view reach_meaning(PeerReach reach) {
  switch (reach) {
    case PeerReach::Off:
      return "nowhere but over NVLink";
    case PeerReach::Switch:
      return "through PCIe switches, not through a CPU";
    case PeerReach::Socket:
      return "through PCIe switches and one CPU, not across the socket link";
    case PeerReach::All:
      return "everywhere, also across the socket link";
  }
  return "";
}

void append_peer_reach(const Topology& topology, const std::vector<PairClass>& classes,
                       std::string& text) {
  line(text, "\nPeer-to-peer copies reach: {} ({})", peer_reach_name(topology.peer_reach()),
       reach_meaning(topology.peer_reach()));
  int all = 0, staged = 0;
  for (const PairClass& pairs : classes) {
    all += pairs.pairs;
    if (pairs.route.staged) staged += pairs.pairs;
  }
  if (staged > 0) {
    line(text, "  warning: {} of {} GPU pairs are staged through host memory, which costs rate",
         staged, all);
  }
}

std::string_view lane_word(LinkClass link_class) {
  return link_class == LinkClass::Pcie ? "lane" : "link";
}

// One line per kind of link: an NVLink, a PCIe slot with its lanes.
void append_per_link(const Topology& topology, std::string& text) {
  std::vector<std::string> seen;
  for (const Link& link : topology.links()) {
    const bool pcie = link.link_class == LinkClass::Pcie;
    // Parallel links are links of their own; parallel lanes are one link.
    const double part = pcie ? 1.0 : 1.0 / link.count;
    const Capacity one{1, scaled(link.raw, part), scaled(link.nominal, part),
                       scaled(link.payload(), part)};
    const std::string name = pcie ? fmt::format("one {} x{} link", link.preset, link.count)
                                  : fmt::format("one {} link", link.preset);
    const std::string key = name + rate(one.raw) + rate(one.payload);
    if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
    seen.push_back(key);
    append_capacity(text, name, one);
  }
}

Capacity ports_of(const Topology& topology, NodeId node, LinkClass link_class) {
  Capacity sum;
  for (const LinkId id : topology.out_links(node)) {
    if (topology.link(id).link_class == link_class) sum.add(topology.link(id));
  }
  return sum;
}

// Devices of one kind with equal ports are one line.
void append_per_device(const Topology& topology, DeviceKind kind, std::string& text) {
  for (const LinkClass link_class : kAllLinkClasses) {
    std::vector<std::pair<Capacity, int>> groups;
    for (std::uint32_t i = 0; i < topology.devices().size(); ++i) {
      if (topology.devices()[i].kind != kind) continue;
      const Capacity ports = ports_of(topology, NodeId{i}, link_class);
      if (ports.links == 0) continue;
      auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& known) {
        return known.first.links == ports.links && known.first.payload == ports.payload;
      });
      if (group == groups.end()) group = groups.insert(groups.end(), {ports, 0});
      ++group->second;
    }
    for (const auto& [ports, count] : groups) {
      append_capacity(text,
                      fmt::format("one {} ({} there), {} {} {}s", device_kind_name(kind), count,
                                  ports.links, link_class_name(link_class), lane_word(link_class)),
                      ports);
    }
  }
}

// A switch as a whole: what all its chips take in at once, and give out at once.
void append_whole_switch(const Topology& topology, std::string& text) {
  Capacity all;
  int chips = 0;
  for (std::uint32_t i = 0; i < topology.devices().size(); ++i) {
    if (topology.devices()[i].kind != DeviceKind::NvSwitch) continue;
    ++chips;
    for (const LinkId id : topology.out_links(NodeId{i})) all.add(topology.link(id));
  }
  if (chips == 0) return;
  append_capacity(text, fmt::format("all {} nvswitches together, sum of ports", chips), all);
}

void append_bidirectional(const Topology& topology, std::string& text) {
  const Capacity nvlink = ports_of(topology, topology.gpus().front(), LinkClass::NvLink);
  if (nvlink.links == 0) return;
  line(text, "  both directions of one gpu's nvlinks, as data sheets count: {} nominal",
       rate(nvlink.nominal * 2));
}

void append_capacities(const Topology& topology, std::string& text) {
  line(text, "\n{:<54} {:>12} {:>12} {:>12}", "Capacity (per direction)", "raw", "nominal",
       "payload");
  append_per_link(topology, text);
  append_per_device(topology, DeviceKind::Gpu, text);
  append_bidirectional(topology, text);
  append_per_device(topology, DeviceKind::NvSwitch, text);
  append_whole_switch(topology, text);
  append_per_device(topology, DeviceKind::PcieSwitch, text);
  append_per_device(topology, DeviceKind::Cpu, text);
  append_per_device(topology, DeviceKind::Nic, text);
}

}  // namespace

void append_domain(const DomainKind& domain, std::string& text) {
  const Topology& topology = domain.topology;
  append_devices(topology, text);
  const std::vector<PairClass> classes = pair_classes(topology, domain.gpus);
  append_pairs(topology, classes, text);
  append_peer_reach(topology, classes, text);
  append_capacities(topology, text);
}

}  // namespace ringspan
