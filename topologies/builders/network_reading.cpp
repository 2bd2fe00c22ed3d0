#include "topologies/builders/network_reading.h"

#include <utility>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"

namespace ringspan {

std::shared_ptr<const Fabric> read_fabric(const ConfigNode& table, const LinkPresets& presets,
                                          const ClusterDraft& draft, const std::string& network,
                                          std::vector<FabricFault> faults) {
  const Registry<FabricFactory> fabrics = builtin_fabrics();
  const std::string kind = table.text("kind");
  const FabricFactory factory = at_key(table, "kind", [&] { return fabrics.at(kind).factory; });
  std::vector<FabricPort> ports = at_key(table, "kind", [&] { return ports_on(draft, network); });
  if (ports.empty()) {
    table.fail("kind", fmt::format("no server has a NIC on the network '{}'", network),
               "add a [[node.device]] with kind = \"nic\" and link it to a PCIe switch or CPU");
  }
  return factory({table, presets, std::move(ports), std::move(faults), 0, draft.pod_of_domain});
}

}  // namespace ringspan
