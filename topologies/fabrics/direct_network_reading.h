#pragma once

// What torus and dragonfly read alike: servers on switches, cables, ports of a switch.

#include <cstdint>
#include <vector>

#include "topologies/fabrics/fabric_input.h"
#include "topologies/fabrics/fabric_reading.h"

namespace ringspan {

struct DirectNetwork {
  std::int64_t servers_per_switch = 1;
  std::int64_t switches = 1;                  // as many as the servers need
  std::int64_t most_ports = 0;                // NICs on one switch
  std::vector<std::uint32_t> switch_of_port;  // by port of the input
  FabricCable port;                           // from NIC to switch: `port_link`, `port_length`
  FabricCable trunk;                          // between switches: `link`
  Duration length{};                          // and what their `length` adds to their latency
};

// servers_per_switch, link, length, port_link (default: as `link`), port_length. Server s hangs on
// switch s / servers_per_switch with all its NICs.
DirectNetwork read_direct_network(const FabricInput& input);

// Refuses a switch that needs more ports than `radix` (absent: any number): `trunks` to other
// switches and one for every NIC.
void check_radix(const ConfigNode& config, const DirectNetwork& network, std::int64_t trunks);

// Refuses, at `key`, more links than can be numbered.
void check_link_count(const ConfigNode& config, std::string_view key, const DirectNetwork& network,
                      std::int64_t trunks);

}  // namespace ringspan
