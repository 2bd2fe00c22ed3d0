#pragma once

// Link presets: the catalogue of link kinds with their four rates. All rates per direction.
//   raw       signalling rate x lanes (PCIe 6 x16: 64 GT/s x 16 = 128 GB/s)
//   nominal   after line code, FLIT or FEC (PCIe 6 x16: 118 GB/s)
//   payload   what bulk copies get through, nominal x efficiency
// Presets are data (links.toml in topologies/data); every number there names its source.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/links/link_class.h"
#include "sim/base/units.h"

namespace ringspan {

class ConfigNode;

struct LinkPreset {
  std::string name;         // "pcie4", "nvlink4", "xgmi3"
  std::string description;  // one line for `ringspan list links`
  LinkClass link_class = LinkClass::Pcie;
  Bandwidth raw;            // one lane (PCIe) or one link (NVLink, port)
  Bandwidth nominal;        // the same, after coding
  double efficiency = 1.0;  // payload / nominal, in (0, 1]
  Duration latency{};       // crossing the link once, wire and ports
  int default_lanes = 1;    // 16 for PCIe, 1 elsewhere
  std::string source;
};

class LinkPresets {
 public:
  // Reads `[[link]]` tables. Throws InputError.
  static LinkPresets from_config(const ConfigNode& root);

  const std::vector<LinkPreset>& all() const { return presets_; }
  const LinkPreset* find(std::string_view name) const;
  std::vector<std::string> names() const;

 private:
  std::vector<LinkPreset> presets_;
};

}  // namespace ringspan
