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

// NVSwitches outside of the servers, which they join to one NVLink domain.
struct PlanDomain {
  int servers = 1;  // 1: no domain
  int switches = 0;
  int links_per_switch = 0;  // of every GPU
  std::string nvlink;        // preset
};

struct ServerPlan {
  int servers = 1;  // that a fabric joins
  PlanDomain domain;
  std::vector<GpuEntry> gpus;             // in rank order
  std::vector<std::string> gpu_comments;  // where each is
  std::vector<std::string> nvswitches;    // comments
  bool multicast = false;
  std::vector<std::string> pcie_switches, adapters;  // comments
  std::vector<std::string> cpu_vendors;              // "intel", ...
  std::vector<std::string> cpu_generations;          // "skylake"; empty: not known
  std::vector<std::string> cpu_comments;
  std::vector<PlanNic> nics;
  std::vector<PlanLink> nvlinks, c2c, pcie, sockets;
  std::string peer_to_peer, gpu_direct;  // empty: the default
  std::string port_link;                 // preset of the NICs' ports; empty: no NIC
  std::string port_rate;                 // where they are slower
};

// What the parts of the plan are made from.
struct ServerPlanInput {
  const NcclTopology& topology;  // of one server
  int servers;                   // that are alike, in one NVLink domain
  const std::string& file;
  const LinkPresets& presets;
  const GpuCatalogue& gpus;
  const ImportOptions& options;
  ImportNotes& notes;
};

// Throws InputError.
ServerPlan plan_server(const ServerPlanInput& input);

}  // namespace ringspan
