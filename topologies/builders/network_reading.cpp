#include "topologies/builders/network_reading.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

bool has_cable(const DomainDraft& draft, NodeId device) {
  return std::any_of(draft.cables.begin(), draft.cables.end(), [&](const Cable& cable) {
    return !cable.dead && ((cable.a == device && !draft.dead[cable.b.index()]) ||
                           (cable.b == device && !draft.dead[cable.a.index()]));
  });
}

// Empty: every server with a GPU has a NIC that is linked to something.
std::string nics_missing(const DomainDraft& draft, const std::string& network) {
  std::vector<std::int32_t> servers;
  for (const NodeId nic : nics_on(draft, network).nics) {
    const Device& device = draft.devices[nic.index()];
    if (!has_cable(draft, nic)) return fmt::format("no link leads to {}", device.name);
    servers.push_back(device.server);
  }
  for (std::size_t i = 0; i < draft.devices.size(); ++i) {
    const Device& device = draft.devices[i];
    if (device.kind != DeviceKind::Gpu || draft.dead[i]) continue;
    if (!std::binary_search(servers.begin(), servers.end(), device.server)) {
      return fmt::format("a server has GPUs and no NIC on the network '{}'", network);
    }
  }
  return {};
}

// Collectives need a NIC wherever there is a GPU.
void check_nics(const ConfigNode& table, const ClusterDraft& draft, const std::string& network) {
  std::vector<bool> used(draft.kinds.size(), false);
  for (const std::int32_t kind : draft.kind_of_domain) used[static_cast<std::size_t>(kind)] = true;
  for (std::size_t kind = 0; kind < used.size(); ++kind) {
    if (!used[kind]) continue;
    std::string missing = nics_missing(draft.kinds[kind], network);
    if (missing.empty()) continue;
    const auto fault = draft.fault_of_kind.find(kind);
    if (fault != draft.fault_of_kind.end()) {
      throw InputError(fault->second.position(), missing + " left",
                       "leave one NIC alive, or lower the count of servers");
    }
    table.fail("kind", std::move(missing),
               "add a [[node.device]] with kind = \"nic\" and link it to a PCIe switch or CPU");
  }
}

std::shared_ptr<const Fabric> build_network(const NetworkTable& network, const LinkPresets& presets,
                                            const ClusterDraft& draft, std::uint64_t seed,
                                            std::vector<FabricFault> faults) {
  const ConfigNode& table = network.table;
  const Registry<FabricFactory> fabrics = builtin_fabrics();
  const std::string kind = table.text("kind");
  const FabricFactory factory = at_key(table, "kind", [&] { return fabrics.at(kind).factory; });
  std::vector<FabricPort> ports =
      at_key(table, "kind", [&] { return ports_on(draft, network.name); });
  if (ports.empty()) {
    table.fail("kind", fmt::format("no server has a NIC on the network '{}'", network.name),
               "add a [[node.device]] with kind = \"nic\" and link it to a PCIe switch or CPU");
  }
  return factory({table, presets, std::move(ports), std::move(faults), seed, draft.pod_of_domain});
}

// Why a network of fewer servers than the file's cannot have the fault; "" where it can.
std::string why_lacking(const NetworkTable& network, const LinkPresets& presets,
                        const ClusterDraft& draft, std::uint64_t seed, const FabricFault& fault) {
  build_network(network, presets, draft, seed, {});  // its own mistakes are refused
  try {
    build_network(network, presets, draft, seed, {fault});
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
  return {};
}

void check_faults(const std::vector<NetworkFault>& faults,
                  const std::vector<NetworkTable>& tables) {
  for (const NetworkFault& fault : faults) {
    const bool described =
        std::any_of(tables.begin(), tables.end(),
                    [&](const NetworkTable& table) { return table.name == fault.network; });
    if (described) continue;
    throw InputError(
        fault.fault.table.position(),
        fmt::format("the system has no network '{}' of which this could be a fault", fault.network),
        fault.network == kComputeNetwork ? "[fabric] describes it" : "a [[network]] describes it");
  }
}

}  // namespace

BuiltNetworks build_networks(const std::optional<ConfigNode>& compute, const NetworkList& list,
                             const LinkPresets& presets, const ClusterDraft& draft, bool fewer,
                             ReadFaults& faults) {
  std::vector<NetworkTable> tables;
  if (compute) tables.push_back({kComputeNetwork, *compute});
  tables.insert(tables.end(), list.described.begin(), list.described.end());
  check_faults(faults.network, tables);
  BuiltNetworks built;
  for (const NetworkTable& network : tables) {
    std::vector<FabricFault> own;
    for (const NetworkFault& fault : faults.network) {
      if (fault.network != network.name) continue;
      std::string& left_out = faults.all[fault.number].left_out;
      if (fewer) left_out = why_lacking(network, presets, draft, list.seed, fault.fault);
      if (left_out.empty()) own.push_back(fault.fault);
    }
    const bool collective = network.name == list.transport.network;
    if (collective && draft.kind_of_domain.size() > 1) {
      check_nics(network.table, draft, network.name);
    }
    auto fabric = build_network(network, presets, draft, list.seed, std::move(own));
    if (collective) {
      built.collective = std::move(fabric);
    } else {
      built.others.push_back({network.name, std::move(fabric)});
    }
  }
  return built;
}

}  // namespace ringspan
