#pragma once

// What an NCCL topology file says (NCCL_TOPO_DUMP_FILE, or a template for NCCL_TOPO_FILE), checked
// and typed, before it is turned into a system of ours.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/import/import_notes.h"
#include "topologies/import/pci_address.h"

namespace ringspan {

struct FilePlace {
  int line = 0, column = 0;
};

// The link of a PCIe device towards the CPU.
struct PcieSpeed {
  std::int64_t transfers = 0;  // per lane and second; 0: the file does not say
  int lanes = 0;               // 0: the file does not say
  bool operator==(const PcieSpeed&) const = default;
};

enum class NvlinkPeer { Gpu, Switch, Cpu };

struct NcclNvlinks {
  std::string target;  // bus id in lower case; of a switch it may be made up
  NvlinkPeer peer = NvlinkPeer::Gpu;
  int count = 1;
  FilePlace where;
};

struct NcclGpu {
  std::optional<int> device_number;       // NVML's index
  std::optional<int> compute_capability;  // times ten
  bool gpu_direct = true;
  std::vector<NcclNvlinks> nvlinks;
  std::int64_t c2c_megabytes_per_second = 0;  // all C2C links together; 0: none
};

// A network device: one port of an adapter.
struct NcclPort {
  std::string name;                      // may be empty
  std::optional<int> device_number;      // the network plugin's index
  std::int64_t megabits_per_second = 0;  // 0: the file does not say
  std::string identity;                  // guid and port: equal ones are one port; may be empty
  bool gpu_direct = true;
  FilePlace where;
};

enum class NcclPciKind { Bridge, Gpu, Adapter };

struct NcclPciDevice {
  PciAddress address;
  NcclPciKind kind = NcclPciKind::Bridge;
  std::uint32_t pci_class = 0;           // 0x060400
  std::uint32_t vendor = 0, device = 0;  // 0: the file does not say
  PcieSpeed speed;
  std::vector<NcclPciDevice> children;    // bridge
  NcclGpu gpu;                            // GPU
  std::vector<NcclPort> ports;            // adapter
  std::vector<PciAddress> peer_switches;  // bridge: switches of other CPUs' trees joined to it
  FilePlace where;
};

struct NcclCpu {
  std::int64_t numa_node = 0;
  std::string architecture;   // "x86_64", "arm64", "ppc64"; may be empty
  std::string vendor;         // "GenuineIntel", "AuthenticAMD"; may be empty
  int family = 0, model = 0;  // as CPUs number them: 6 and 143, 25 and 1; 0: the file does not say
  std::string host;           // several: a dump of several servers in one NVLink domain
  std::vector<NcclPciDevice> devices;
  std::vector<NcclPort> ports;  // of no PCIe device: virtual machines
  FilePlace where;
};

struct NcclTopology {
  std::vector<NcclCpu> cpus;  // at least one, and a GPU below one of them
  // No GPU is described: a template that NCCL completes on the machine. It tells nothing of NVLink,
  // and nothing of ports.
  bool is_template = false;
};

// Notes what it leaves out: devices that are neither GPU nor NIC nor above one, unknown elements.
// Throws InputError.
NcclTopology read_nccl_topology(std::string_view text, const std::string& file, ImportNotes& notes);

}  // namespace ringspan
