#pragma once

// [[node.device]]: the devices of one server.

#include <optional>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/builders/name_pattern.h"
#include "topologies/graph/topology.h"

namespace ringspan {

struct DeviceList {
  DeviceNames names;
  std::vector<NodeId> gpus;
};

// The keys that say what a GPU is. Throws InputError.
GpuModel read_gpu_model(const ConfigNode& table);

// Adds every device to the builder; `other_gpu` stands in for the GPU the file describes. Throws
// InputError: a wrong value, a name twice, too many devices, no GPU.
DeviceList read_devices(const ConfigNode& node, const std::optional<GpuModel>& other_gpu,
                        TopologyBuilder& builder);

}  // namespace ringspan
