#pragma once

// The GPUs that a topology file may name (gpus.toml in topologies/data).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

class ConfigNode;

struct GpuEntry {
  std::string name;
  int compute_capability = 0;       // times ten
  std::string memory, memory_copy;  // as a system file has them: "80 GiB", "1420 GB/s"
  std::vector<std::uint32_t> pci_devices;
  std::string nvlink;  // preset of its NVLinks; empty: it has none
  int nvlinks = 0;     // in servers that have NVLink on every GPU; 0: not known
  int nvswitches = 0;  // that eight of them share; 0: they are wired directly
};

class GpuCatalogue {
 public:
  // Reads `[[gpu]]` tables. Throws InputError.
  static GpuCatalogue from_config(const ConfigNode& root);

  // Throws InputError with the nearest name.
  const GpuEntry& at(std::string_view name) const;
  const GpuEntry* find_device(std::uint32_t pci_device) const;  // nullptr: none
  // The first of that compute capability; else of the next lower one, else of the lowest.
  const GpuEntry& of_capability(int compute_capability) const;
  // The preset of NVLinks of that or the next lower compute capability.
  const std::string& nvlink_of_capability(int compute_capability) const;

  std::vector<std::string> names() const;

 private:
  std::vector<GpuEntry> entries_;  // at least one, and one with NVLink
};

// The one compiled in.
GpuCatalogue builtin_gpu_catalogue();

}  // namespace ringspan
