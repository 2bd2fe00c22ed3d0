#pragma once

// A topology file of another program becomes a system file of ours. Code flow:
//   xml_element.h      XML as elements with places
//   nccl_topology.h    what NCCL's file says, checked
//   host_split.h       of an NVLink domain, the first of its servers
//   server_plan.h      devices and links of a server, what the file leaves open filled in
//   system_file.h      the same as TOML
// docs/import.md has what is assumed where the file says nothing.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/links/link_preset.h"

namespace ringspan {

// How GPUs are joined that the file says nothing of.
enum class NvlinkWiring { Switch, Mesh, None };

struct ImportOptions {
  std::string name;                      // of the system
  std::optional<std::string> gpu;        // model of all GPUs
  std::optional<std::string> nic_link;   // preset of the NICs' ports
  std::optional<std::string> pcie_link;  // preset where the file has no speed
  std::optional<NvlinkWiring> nvlink;    // in place of what the file says or the model suggests
};

struct ImportedSystem {
  std::string text;                // the system file
  std::vector<std::string> notes;  // what was assumed or left out: "topo.xml:3:5: ..."
};

// `file` is for messages and the description. Throws InputError.
struct TopologyFile {
  std::string text;
  std::string file;
};

// Each file describes a server of its own; they must be alike but for addresses and names, and the
// system has as many servers as files. At least one.
ImportedSystem import_nccl_topology(std::span<const TopologyFile> files, const LinkPresets& presets,
                                    const ImportOptions& options);

}  // namespace ringspan
