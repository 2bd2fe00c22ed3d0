#include "topologies/fabrics/cluster_dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "topologies/graph/dot_text.h"

namespace ringspan {

namespace {

// More kinds come from faults of single servers; they would look like the first ones.
constexpr std::size_t kMostKinds = 4;

// The first server, and the NVSwitches of a rack, which sit in none.
std::vector<bool> shown_devices(const Topology& topology) {
  std::vector<bool> shown;
  for (const Device& device : topology.devices()) {
    shown.push_back(device.server == 0 || device.server == kNoServer);
  }
  return shown;
}

void append_kind(const Cluster& cluster, std::size_t kind, std::string& text) {
  const DomainKind& domain = cluster.kinds()[kind];
  const std::string prefix = fmt::format("k{}", kind);
  append_dot(domain.topology, shown_devices(domain.topology), prefix, text);
  if (domain.servers() > 1) {
    text += fmt::format(
        "  {}more [shape=plaintext, style=\"\", label=\"a rack of {} servers:\\none is drawn, with "
        "the NVSwitches\"];\n",
        prefix, domain.servers());
  }
}

void append_nodes(const FabricDrawing& drawing, std::string& text) {
  std::map<int, std::vector<std::size_t>> levels;
  for (std::size_t n = 0; n < drawing.nodes.size(); ++n) {
    const bool servers = drawing.nodes[n].level == 0;
    text += fmt::format(
        "  f{} [label=\"{}\", {}];\n", n, dot_escaped(drawing.nodes[n].label),
        servers ? "shape=box3d, fillcolor=\"#f0f0f0\"" : "shape=box, fillcolor=\"#fdd0a2\"");
    levels[drawing.nodes[n].level].push_back(n);
  }
  for (const auto& [level, nodes] : levels) {
    text += "  { rank=same;";
    for (const std::size_t node : nodes) text += fmt::format(" f{};", node);
    text += " }\n";
  }
}

// From a server's first NIC to the node of the fabric that stands for it and its like.
void append_stands_for(const Cluster& cluster, const FabricDrawing& drawing, std::size_t kind,
                       std::string& text) {
  const DomainKind& domain = cluster.kinds()[kind];
  const auto servers =
      std::find_if(drawing.nodes.begin(), drawing.nodes.end(),
                   [](const FabricDrawing::Node& node) { return node.level == 0; });
  if (domain.nics.empty() || servers == drawing.nodes.end()) return;
  text += fmt::format(
      "  k{0}n{1} -- f{2} [style=dashed, ltail=cluster_k{0}server0, label=\"one of them\"];\n",
      kind, domain.nics.front().value, servers - drawing.nodes.begin());
}

void append_fabric(const Cluster& cluster, std::size_t kinds, std::string& text) {
  const FabricDrawing drawing = cluster.fabric()->drawing();
  append_nodes(drawing, text);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    append_stands_for(cluster, drawing, kind, text);
  }
  for (const FabricDrawing::Edge& edge : drawing.edges) {
    text +=
        fmt::format("  f{} -- f{} [label=\"{}\"];\n", edge.from, edge.to, dot_escaped(edge.label));
  }
}

}  // namespace

std::string export_dot(const Cluster& cluster, const std::string& name) {
  if (cluster.fabric() == nullptr && cluster.server_count() == 1) {
    return export_dot(cluster.domain(0).topology);
  }
  const std::string title = dot_escaped(name);
  std::string text = fmt::format(
      "graph \"{}\" {{\n  label=\"{}, rates per direction\";\n  compound=true;\n  rankdir=BT;\n"
      "  node [style=filled];\n",
      title, title);
  const std::size_t kinds = std::min(cluster.kinds().size(), kMostKinds);
  for (std::size_t kind = 0; kind < kinds; ++kind) append_kind(cluster, kind, text);
  if (cluster.fabric() != nullptr) append_fabric(cluster, kinds, text);
  return text + "}\n";
}

}  // namespace ringspan
