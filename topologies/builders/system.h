#pragma once

// A system file becomes a fabric. Code flow:
//   read_system(document, presets, find)   [node], `use`, devices, links -> Topology
// The format is documented in docs/formats.md; the catalogue's files are examples of it.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/config/config_node.h"
#include "topologies/fabrics/cluster.h"
#include "topologies/graph/topology.h"

namespace ringspan {

struct SystemInfo {
  std::string name;
  std::string description;           // one line for `ringspan list systems`
  std::vector<std::string> sources;  // where the numbers come from
  int gpus = 0;                      // GPUs of one server
  std::vector<std::string> notes;    // what was derived, e.g. "900 GB/s bidir = 450 GB/s each way"
};

struct System {
  SystemInfo info;
  Cluster cluster;

  // Of the first domain.
  const Topology& topology() const { return cluster.kinds().front().topology; }
};

// Finds the text of another system by name, for `use = "NAME"`; nullopt when there is none.
struct SystemText {
  std::string text;
  std::string file;  // for messages
};
using SystemFinder = std::function<std::optional<SystemText>(std::string_view name)>;

// --set: dotted keys and values, as ConfigDocument::set takes them. Keys of node.device and
// node.link reach the file that has them, also through `use`.
using SystemOverrides = std::vector<std::pair<std::string, std::string>>;

// Reads and checks everything; calls document.finish(). Throws InputError.
System read_system(ConfigDocument& document, const LinkPresets& presets, const SystemFinder& find,
                   const SystemOverrides& overrides = {});

// Name, description and sources only, without reading the wiring: for `ringspan list`. `gpus` and
// `notes` stay empty.
SystemInfo read_system_summary(const ConfigDocument& document);

}  // namespace ringspan
