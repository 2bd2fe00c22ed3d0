#include "topologies/fabrics/direct_network_reading.h"

#include <algorithm>

#include <fmt/format.h>

namespace ringspan {

namespace {

constexpr std::int64_t kMostServersPerSwitch = 1'000'000;
constexpr std::int64_t kMostRadix = 1'000'000;
// 32 bits, less the ports' own.
constexpr std::int64_t kMostLinks = std::int64_t{1} << 31U;

}  // namespace

DirectNetwork read_direct_network(const FabricInput& input) {
  const ConfigNode& config = input.config;
  DirectNetwork network;
  network.trunk = read_fabric_cable(config, "link", input.presets);
  network.port = read_fabric_cable_or(config, "port_link", input.presets, network.trunk);
  network.length = read_cable_delay(config, "length");
  network.port.latency += read_cable_delay(config, "port_length");
  network.servers_per_switch = config.integer_or("servers_per_switch", 1, 1, kMostServersPerSwitch);
  std::int64_t servers = 1;
  for (const FabricPort& port : input.ports) {
    servers = std::max<std::int64_t>(servers, port.server + 1);
  }
  network.switches = (servers + network.servers_per_switch - 1) / network.servers_per_switch;
  std::vector<std::int64_t> ports(static_cast<std::size_t>(network.switches), 0);
  network.switch_of_port.reserve(input.ports.size());
  for (const FabricPort& port : input.ports) {
    const auto at = static_cast<std::uint32_t>(port.server / network.servers_per_switch);
    network.switch_of_port.push_back(at);
    network.most_ports = std::max(network.most_ports, ++ports[at]);
  }
  return network;
}

void check_radix(const ConfigNode& config, const DirectNetwork& network, std::int64_t trunks) {
  if (!fabric_key_given(config, "radix")) return;
  const std::int64_t radix = config.integer("radix", 1, kMostRadix);
  const std::int64_t needed = network.most_ports + trunks;
  if (needed <= radix) return;
  config.fail("radix",
              fmt::format("a switch needs {} ports: {} for NICs and {} for other switches", needed,
                          network.most_ports, trunks),
              fmt::format("radix = {}, fewer servers_per_switch, or fewer cables", needed));
}

void check_link_count(const ConfigNode& config, std::string_view key, const DirectNetwork& network,
                      std::int64_t trunks) {
  if (trunks == 0 || network.switches <= kMostLinks / trunks) return;
  config.fail(key,
              fmt::format("{} switches with {} cables each are too many", network.switches, trunks),
              fmt::format("at most {} ends of cables", kMostLinks));
}

}  // namespace ringspan
