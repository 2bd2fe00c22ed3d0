#pragma once

// [[node.device]]: the devices of one server.

#include <optional>
#include <string>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/builders/domain_draft.h"
#include "topologies/builders/name_pattern.h"

namespace ringspan {

struct DeviceList {
  DeviceNames names;
  std::vector<NodeId> gpus;
};

// The keys that say what a GPU is. Throws InputError.
GpuModel read_gpu_model(const ConfigNode& table);

// Adds every device to the draft; `other_gpu` stands in for the GPU the file describes. `networks`:
// those a NIC may be on. Throws InputError: a wrong value, a name twice, too many devices, no GPU.
DeviceList read_devices(const ConfigNode& node, const std::optional<GpuModel>& other_gpu,
                        const std::vector<std::string>& networks, DomainDraft& draft);

}  // namespace ringspan
