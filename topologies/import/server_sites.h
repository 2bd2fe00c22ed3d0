#pragma once

// The GPUs and ports of a topology in the order they are numbered in, each with its place.

#include <cstddef>
#include <vector>

#include "topologies/import/nccl_topology.h"

namespace ringspan {

struct GpuSite {
  const NcclPciDevice* device;  // never null
  std::size_t cpu;              // index into NcclTopology::cpus
};

struct PortSite {
  NcclPort port;
  const NcclPciDevice* adapter;  // nullptr: of no PCIe device
  std::size_t cpu;
};

struct ServerSites {
  // By NVML's index where every GPU has one of its own, else by PCI address.
  std::vector<GpuSite> gpus;
  // By the network plugin's index where every port has one, else by PCI address; of a network card,
  // in the order of the file. In a template, a card has one port.
  std::vector<PortSite> ports;
};

// Keeps pointers into `topology`. Ports that are one and the same are noted and left out.
ServerSites find_sites(const NcclTopology& topology, ImportNotes& notes);

}  // namespace ringspan
