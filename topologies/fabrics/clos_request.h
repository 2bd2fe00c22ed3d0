#pragma once

// What a [fabric] table of a Clos kind says, checked key by key; nothing is derived here.

#include <cstdint>
#include <optional>
#include <string>

#include "topologies/fabrics/clos_shape.h"
#include "topologies/fabrics/fabric_input.h"
#include "topologies/fabrics/fabric_reading.h"

namespace ringspan {

// Far above any switch; it keeps a slip of the finger from filling the memory.
inline constexpr std::int64_t kMostSwitchPorts = 65'536;

// QM9700 (64 x 400 Gb/s) and the Ethernet switches of 51.2 Tb/s (64 x 800 Gb/s).
inline constexpr std::int64_t kUsualRadix = 64;

// "4:1": what comes from below to what goes up.
struct Oversubscription {
  std::int64_t down = 1, up = 1;
};
// In lowest terms: "33:8".
std::string oversubscription_text(std::int64_t down, std::int64_t up);

struct ClosRequest {
  FabricCable port, up, core;  // `port`: one of the NIC's cables, after it was split over planes
  std::optional<Bandwidth> port_rate;  // of the same cable, where the NIC is slower than it
  std::int64_t planes = 1;
  std::optional<std::int64_t> tiers, radix, servers_per_leaf, servers_per_pod, spines,
      cables_per_spine, cores;
  std::optional<Oversubscription> leaf, spine;  // above leaves, above spines
  bool names_third_tier = false;                // a key that only three tiers have is there
  bool rail_blocks = false;                     // spine_group = "rail"
  Duration nic_latency{};
  bool in_network_reduction = false;
};

// Throws InputError at the key that is wrong. Asks only for the keys that the kind has.
ClosRequest read_clos_request(const ClosKind& kind, const FabricInput& input);

}  // namespace ringspan
