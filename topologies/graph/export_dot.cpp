#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "sim/base/quantity.h"
#include "topologies/graph/dot_text.h"

namespace ringspan {

namespace {

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
  std::string label = dot_escaped(device.name);
  if (device.kind == DeviceKind::Gpu) label += "\\n" + dot_escaped(topology.gpu_model(id).name);
  return label;
}

void append_servers(const Topology& topology, const std::vector<bool>& shown,
                    std::string_view prefix, std::string& text) {
  auto out = std::back_inserter(text);
  const auto devices = topology.devices();
  std::vector<std::vector<std::uint32_t>> members(
      static_cast<std::size_t>(topology.server_count()));
  std::vector<std::uint32_t> outside;
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    if (!shown[i]) continue;
    if (devices[i].server == kNoServer) {
      outside.push_back(i);
    } else {
      members[static_cast<std::size_t>(devices[i].server)].push_back(i);
    }
  }
  for (std::size_t server = 0; server < members.size(); ++server) {
    if (members[server].empty()) continue;
    fmt::format_to(out, "  subgraph cluster_{}server{} {{\n    label=\"server {}\";\n", prefix,
                   server, server);
    for (const std::uint32_t i : members[server]) {
      fmt::format_to(out, "    {}n{} [label=\"{}\", {}];\n", prefix, i,
                     node_label(topology, NodeId{i}), node_style(devices[i].kind));
    }
    fmt::format_to(out, "  }}\n");
  }
  for (const std::uint32_t i : outside) {
    fmt::format_to(out, "  {}n{} [label=\"{}\", {}];\n", prefix, i, node_label(topology, NodeId{i}),
                   node_style(devices[i].kind));
  }
}

}  // namespace

std::string dot_escaped(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '"' || character == '\\') result += '\\';
    result += character;
  }
  return result;
}

void append_dot(const Topology& topology, const std::vector<bool>& shown, std::string_view prefix,
                std::string& text) {
  append_servers(topology, shown, prefix, text);
  const auto links = topology.links();
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    if (link.reverse.value < i || !shown[link.from.index()] || !shown[link.to.index()]) continue;
    fmt::format_to(std::back_inserter(text), "  {}n{} -- {}n{} [label=\"{} x {}\\n{}\"];\n", prefix,
                   link.from.value, prefix, link.to.value, link.count, dot_escaped(link.preset),
                   format_bandwidth(link.nominal));
  }
}

// Nodes are named by their number and written in that order, so the text depends on nothing else.
std::string export_dot(const Topology& topology) {
  const std::string name = dot_escaped(topology.name());
  std::string text =
      fmt::format("graph \"{}\" {{\n  label=\"{}, rates per direction\";\n  node [style=filled];\n",
                  name, name);
  append_dot(topology, std::vector<bool>(topology.devices().size(), true), "", text);
  return text + "}\n";
}

}  // namespace ringspan
