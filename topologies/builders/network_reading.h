#pragma once

// [fabric]: the network between domains.

#include <memory>
#include <string>
#include <vector>

#include "models/links/link_preset.h"
#include "topologies/builders/cluster_draft.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

// A fabric of the kind the table names, with a port for every NIC on `network`. Throws InputError:
// an unknown kind, a domain without a NIC, and whatever the kind's reader refuses.
std::shared_ptr<const Fabric> read_fabric(const ConfigNode& table, const LinkPresets& presets,
                                          const ClusterDraft& draft, const std::string& network,
                                          std::vector<FabricFault> faults);

}  // namespace ringspan
