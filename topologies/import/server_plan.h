#pragma once

// A server as a system file describes it: devices by kind and number, and links between them.

#include <string>
#include <vector>

#include "topologies/import/gpu_catalogue.h"
#include "topologies/import/import.h"
#include "topologies/import/import_notes.h"
#include "topologies/import/nccl_topology.h"

namespace ringspan {

// An adapter is a PCIe switch above the ports of one network card.
enum class PlanKind { Gpu, NvSwitch, PcieSwitch, Adapter, Cpu, Nic };

struct PlanDevice {
  PlanKind kind = PlanKind::Gpu;
  int index = 0;
  auto operator<=>(const PlanDevice&) const = default;
};

struct PlanLink {
  PlanDevice from, to;
  std::string keys;  // lines of the table: "link = \"pcie4\"\n"
};

struct PlanNic {
  std::string network = "compute";
  std::string comment;
};

struct ServerPlan {
  std::vector<GpuEntry> gpus;             // in rank order
  std::vector<std::string> gpu_comments;  // where each is
  std::vector<std::string> nvswitches;    // comments
  bool multicast = false;
  std::vector<std::string> pcie_switches, adapters;  // comments
  std::vector<std::string> cpu_vendors;              // "intel", ...
  std::vector<std::string> cpu_comments;
  std::vector<PlanNic> nics;
  std::vector<PlanLink> nvlinks, pcie, sockets;
  std::string peer_to_peer, gpu_direct;  // empty: the default
  std::string port_link;                 // preset of the NICs' ports; empty: no NIC
  std::string port_rate;                 // where it is not the preset's
};

// What the parts of the plan are made from.
struct PlanInput {
  const NcclTopology& topology;
  const std::string& file;
  const LinkPresets& presets;
  const GpuCatalogue& gpus;
  const ImportOptions& options;
  ImportNotes& notes;
};

// Throws InputError.
ServerPlan plan_server(const PlanInput& input);

}  // namespace ringspan
