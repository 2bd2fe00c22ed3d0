#pragma once

// [fabric] and [[network]]s: the networks between domains.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/links/link_preset.h"
#include "topologies/builders/cluster_draft.h"
#include "topologies/builders/fault_reading.h"
#include "topologies/builders/network_list.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

struct BuiltNetworks {
  std::shared_ptr<const Fabric> collective;  // nullptr: its table is absent
  std::vector<SystemNetwork> others;
};

// `compute`: [fabric], or the [fabric.scale_out] of racks. Each network gets a port for every NIC
// that is on it. Throws InputError: an unknown kind, no NIC, whatever the kind's reader refuses, a
// fault of a network that is not described. `fewer`: the run has fewer servers than the file; what
// its networks do not have cannot be hit, and the fault says so in `left_out`.
BuiltNetworks build_networks(const std::optional<ConfigNode>& compute, const NetworkList& list,
                             const LinkPresets& presets, const ClusterDraft& draft, bool fewer,
                             ReadFaults& faults);

}  // namespace ringspan
