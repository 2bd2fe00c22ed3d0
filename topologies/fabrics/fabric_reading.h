#pragma once

// What the readers of all fabrics have in common: presets of network links, cable lengths, the
// routing. All throw InputError at the key that is wrong.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/config/config_node.h"
#include "topologies/routing/path_choice.h"

namespace ringspan {

// One kind of cable of a fabric.
struct FabricCable {
  std::string preset;
  Bandwidth nominal;  // one cable, one direction
  double efficiency = 1;
  Duration latency{};  // crossing it once, and half of the switch at the other end
  Bandwidth payload() const { return scaled(nominal, efficiency); }
};

// Whether an optional key is there. Unlike has() it counts as asking for the key, so that a
// misspelt one is answered with its name.
bool fabric_key_given(const ConfigNode& config, std::string_view key);

// The preset of class network that stands at `key`, or "custom": then the table custom_KEY has
// rate, latency and efficiency. Required.
FabricCable read_fabric_cable(const ConfigNode& config, std::string_view key,
                              const LinkPresets& presets);
// The same with a default.
FabricCable read_fabric_cable_or(const ConfigNode& config, std::string_view key,
                                 const LinkPresets& presets, const FabricCable& fallback);

// "30 m" or "2 km" at `key`, as the time light takes: 5 ns per metre of fibre (its refractive index
// is 1.47 to 1.5). Absent: zero, since a preset's latency holds a short cable.
Duration read_cable_delay(const ConfigNode& config, std::string_view key);

// What each adapter adds to the latency between two NICs: `nic_latency`, default 370 ns, so that
// NIC - switch - NIC over an InfiniBand preset is 2 x (370 + 230) = 1.2 us.
Duration read_nic_latency(const ConfigNode& config);

// `routing` and `seed`. `able`: the routings this fabric kind can use; another one is refused with
// `reason`. Default by the preset of the NIC ports: adaptive for ib-* and slingshot-*, spray for
// efa-*, else ecmp, where `able` holds it, else the first of `able`.
struct FabricRouting {
  std::string name;
  std::unique_ptr<const PathChoice> choice;
};
FabricRouting read_fabric_routing(const ConfigNode& config, std::string_view port_preset,
                                  std::uint64_t seed, const std::vector<std::string>& able,
                                  const std::string& reason);

}  // namespace ringspan
