#include "topologies/builders/network_list.h"

#include <algorithm>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/name_pattern.h"

namespace ringspan {

namespace {

void read_name(const ConfigNode& table, NetworkList& list) {
  std::string name = table.text("name");
  at_key(table, "name", [&] { check_device_name(name); });
  if (name == kComputeNetwork) {
    table.fail("name", "[fabric] describes the network 'compute'",
               "give the network another name, such as \"storage\"");
  }
  for (const NetworkTable& other : list.described) {
    if (other.name != name) continue;
    table.fail("name", fmt::format("there are two networks called '{}'", name),
               "give every network its own name");
  }
  if (std::find(list.names.begin(), list.names.end(), name) == list.names.end()) {
    list.names.push_back(name);
  }
  list.described.push_back({std::move(name), table});
}

TransportSettings read_transport(const std::optional<ConfigNode>& table, const NetworkList& list) {
  TransportSettings settings;
  if (!table) return settings;
  settings.pxn = table->boolean_or("pxn", true);
  if (!given(*table, "network")) return settings;
  std::vector<std::string> able{kComputeNetwork};
  for (const NetworkTable& network : list.described) able.push_back(network.name);
  settings.network = table->choice("network", able);
  return settings;
}

}  // namespace

NetworkList read_networks(const SystemSections& sections) {
  NetworkList list;
  list.names = {kComputeNetwork, "storage", "management"};
  for (const ConfigNode& table : sections.networks) read_name(table, list);
  list.transport = read_transport(sections.transport, list);
  return list;
}

}  // namespace ringspan
