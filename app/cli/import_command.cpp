#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/run_options.h"
#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"
#include "sim/config/read_input.h"
#include "topologies/import/import.h"

namespace ringspan {

namespace {

constexpr std::array kOptions = {
    OptionSpec{"--output", "SYSTEM.toml",
               "Writes the system file there, whole or not at all, and replaces what was there.\n"
               "Required; - is standard output. Example: -o my-server.toml",
               'o'},
    OptionSpec{"--name", "NAME",
               "The system's name. Default: that of the written file, or 'imported'.\n"
               "Example: --name rack7"},
    OptionSpec{"--gpu", "MODEL",
               "What all GPUs are. Default: by their PCI device number, else by their compute\n"
               "capability, else by their PCIe link. Example: --gpu \"H200 SXM\""},
    OptionSpec{"--nvlink", "WIRING",
               "How NVLink joins the GPUs, in place of what the file says: switch (NVSwitches),\n"
               "mesh (every two directly) or none. Default: what the file says; where it is a\n"
               "template without <gpu>, what the GPU model has. Example: --nvlink switch"},
    OptionSpec{"--pcie-link", "LINK",
               "The preset of PCIe links without a speed in the file ('ringspan list links').\n"
               "Default: pcie3, as NCCL does. Example: --pcie-link pcie4"},
    OptionSpec{"--nic-link", "LINK",
               "The preset of the NICs' ports. Default: by the file's kind and speed of NIC.\n"
               "Example: --nic-link efa-100"}};

// "runs/my-server.toml" -> "my-server"
std::string name_of_file(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return stem.empty() || path == "-" ? "imported" : stem;
}

NvlinkWiring read_wiring(const std::string& text) {
  if (text == "switch") return NvlinkWiring::Switch;
  if (text == "mesh") return NvlinkWiring::Mesh;
  if (text == "none") return NvlinkWiring::None;
  throw InputError("--nvlink " + text + " is no wiring",
                   name_hint(text, {"switch", "mesh", "none"}));
}

std::vector<TopologyFile> read_files(const std::vector<std::string>& names) {
  if (std::count(names.begin(), names.end(), "-") > 1) {
    throw InputError("- is given twice", "standard input can be read once");
  }
  std::vector<TopologyFile> files;
  for (const std::string& name : names) {
    if (name == "-") {
      files.push_back({read_standard_input(), "<standard input>"});
    } else {
      files.push_back({read_input_file(std::filesystem::path(name)), name});
    }
  }
  return files;
}

int run(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("import", kOptions, arguments);
  if (options.positionals.empty()) {
    throw InputError("no file is given", "for example: ringspan import topo.xml -o my-server.toml");
  }
  const std::string path = read_output_path(options);
  if (path.empty()) {
    throw InputError("-o is missing", "say where the system shall go: -o my-server.toml");
  }
  const Output output(path);
  ImportOptions import;
  import.name = options.value("--name").value_or(name_of_file(path));
  import.gpu = options.value("--gpu");
  import.pcie_link = options.value("--pcie-link");
  import.nic_link = options.value("--nic-link");
  if (const auto wiring = options.value("--nvlink")) import.nvlink = read_wiring(*wiring);

  const Catalog catalog = builtin_catalog();
  const ImportedSystem system =
      import_nccl_topology(read_files(options.positionals), catalog.links, import);
  for (const std::string& note : system.notes) write_message("note: " + note);
  output.write(system.text);
  return kExitDone;
}

}  // namespace

Command import_command() {
  return {
      "import",
      "a system file from another program's description of a machine",
      "import FILE... -o SYSTEM.toml [OPTIONS]",
      "FILE is a topology that NCCL writes (NCCL_TOPO_DUMP_FILE=topo.xml), or a template as cloud\n"
      "providers ship for NCCL_TOPO_FILE; - is standard input. Writes a system file for 'show',\n"
      "'run --nodes', 'validate --system' and others. What FILE does not say is filled in, and\n"
      "told: on standard error, and as comments in the system file (docs/import.md). Several "
      "FILEs\n"
      "are servers of one cluster; they must be alike.",
      kOptions,
      "ringspan import topo.xml -o my-server.toml\n"
      "ringspan import ndv4-topo.xml -o nd.toml --gpu \"A100 SXM 40 GB\"\n"
      "ringspan run ./my-server.toml all_reduce",
      run};
}

}  // namespace ringspan
