#include <iterator>

#include <fmt/format.h>

#include "sim/base/quantity.h"
#include "topologies/graph/topology.h"

namespace ringspan {

namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character;
  }
  return result;
}

std::string_view node_style(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::Gpu:
      return "shape=box, fillcolor=\"#c7e9c0\"";
    case DeviceKind::NvSwitch:
      return "shape=hexagon, fillcolor=\"#fdd0a2\"";
    case DeviceKind::PcieSwitch:
      return "shape=diamond, fillcolor=\"#dadaeb\"";
    case DeviceKind::Cpu:
      return "shape=ellipse, fillcolor=\"#c6dbef\"";
    case DeviceKind::Nic:
      return "shape=note, fillcolor=\"#d9d9d9\"";
  }
  return "shape=box";
}

std::string node_label(const Topology& topology, NodeId id) {
  const Device& device = topology.device(id);
  std::string label = escaped(device.name);
  if (device.kind == DeviceKind::Gpu) label += "\\n" + escaped(topology.gpu_model(id).name);
  return label;
}

}  // namespace

// Nodes are named by their number and written in that order, so the text depends on nothing else.
std::string export_dot(const Topology& topology) {
  std::string text;
  auto out = std::back_inserter(text);
  const std::string name = escaped(topology.name());
  fmt::format_to(out, "graph \"{}\" {{\n  label=\"{}, rates per direction\";\n", name, name);
  fmt::format_to(out, "  node [style=filled];\n");
  const auto devices = topology.devices();
  std::vector<std::vector<std::uint32_t>> members(
      static_cast<std::size_t>(topology.server_count()));
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    members[static_cast<std::size_t>(devices[i].server)].push_back(i);
  }
  for (std::size_t server = 0; server < members.size(); ++server) {
    fmt::format_to(out, "  subgraph cluster_server{} {{\n    label=\"server {}\";\n", server,
                   server);
    for (const std::uint32_t i : members[server]) {
      fmt::format_to(out, "    n{} [label=\"{}\", {}];\n", i, node_label(topology, NodeId{i}),
                     node_style(devices[i].kind));
    }
    fmt::format_to(out, "  }}\n");
  }
  const auto links = topology.links();
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    if (link.reverse.value < i) continue;
    fmt::format_to(out, "  n{} -- n{} [label=\"{} x {}\\n{}\"];\n", link.from.value, link.to.value,
                   link.count, escaped(link.preset), format_bandwidth(link.nominal));
  }
  fmt::format_to(out, "}}\n");
  return text;
}

}  // namespace ringspan
