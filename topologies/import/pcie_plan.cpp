#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "models/links/link_preset.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"
#include "sim/base/quote.h"
#include "topologies/import/plan_parts.h"

namespace ringspan {

namespace {

constexpr int kDefaultLanes = 16;
constexpr std::int64_t kGiga = 1'000'000'000;

// The catalogue's share of the root complex in a link to a CPU (docs/formats.md).
constexpr Duration kHalfRootComplex = nanoseconds(125);

// Broadcom switches of Gen4 and Gen5 show their two halves as two levels of bridges. They are one
// chip, and NCCL makes one of them too.
bool is_two_level_switch(const NcclPciDevice& device) {
  constexpr std::uint32_t kBroadcom = 0x1000, kGen4 = 0xc010, kGen5 = 0xc030;
  return device.kind == NcclPciKind::Bridge && device.vendor == kBroadcom &&
         (device.device == kGen4 || device.device == kGen5);
}

const char* preset_of(std::int64_t transfers) {
  if (transfers <= 8 * kGiga) return "pcie3";
  if (transfers <= 16 * kGiga) return "pcie4";
  return transfers <= 32 * kGiga ? "pcie5" : "pcie6";
}

// The preset that carries a port which hangs on no PCIe device.
const char* preset_for_port(std::int64_t megabits) {
  if (megabits <= 100'000) return "pcie3";
  if (megabits <= 200'000) return "pcie4";
  return megabits <= 400'000 ? "pcie5" : "pcie6";
}

class Planner {
 public:
  Planner(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan)
      : input_(input), plan_(plan) {
    if (input.options.pcie_link) check(*input.options.pcie_link);
    for (std::size_t i = 0; i < sites.gpus.size(); ++i) {
      gpus_.emplace(sites.gpus[i].device, static_cast<int>(i));
    }
    for (std::size_t i = 0; i < sites.ports.size(); ++i) {
      if (sites.ports[i].adapter != nullptr) {
        ports_[sites.ports[i].adapter].push_back(static_cast<int>(i));
      } else {
        loose_ports_[sites.ports[i].cpu].push_back(static_cast<int>(i));
        port_speeds_[static_cast<int>(i)] = sites.ports[i].port.megabits_per_second;
      }
    }
  }

  void run() {
    for (std::size_t i = 0; i < input_.topology.cpus.size(); ++i) {
      const NcclCpu& cpu = input_.topology.cpus[i];
      const PlanDevice place{PlanKind::Cpu, static_cast<int>(i)};
      for (const NcclPciDevice& device : cpu.devices) add(device, place, nullptr);
      for (const int port : loose_ports_[i]) {
        const char* preset = preset_for_port(port_speeds_[port]);
        note(cpu.where, fmt::format("a NIC of no PCIe device: joined to the CPU by {}", preset));
        link(place, {PlanKind::Nic, port}, keys(preset, "", kDefaultLanes, true));
      }
    }
    join_switches();
  }

 private:
  void check(const std::string& name) const {
    const LinkPreset* preset = input_.presets.find(name);
    if (preset != nullptr && preset->link_class == LinkClass::Pcie) return;
    std::vector<std::string> names;
    for (const LinkPreset& one : input_.presets.all()) {
      if (one.link_class == LinkClass::Pcie) names.push_back(one.name);
    }
    throw InputError(fmt::format("{} is no preset of a PCIe link", quote_text(name)),
                     name_hint(name, names));
  }

  void note(FilePlace where, std::string text) {
    input_.notes.add(where.line, where.column, std::move(text));
  }

  void link(PlanDevice from, PlanDevice to, std::string keys) {
    plan_.pcie.push_back({from, to, std::move(keys)});
  }

  void add(const NcclPciDevice& device, PlanDevice parent, const NcclPciDevice* above) {
    switch (device.kind) {
      case NcclPciKind::Gpu:
        add_gpu(device, parent);
        return;
      case NcclPciKind::Adapter:
        add_adapter(device, parent);
        return;
      case NcclPciKind::Bridge:
        break;
    }
    if (above != nullptr && is_two_level_switch(device) && is_two_level_switch(*above) &&
        device.device == above->device) {
      note(device.where,
           "the lower half of a PCIe switch of two levels: one switch with the upper");
      switches_.emplace(device.address, parent.index);
      for (const NcclPciDevice& child : device.children) add(child, parent, above);
      return;
    }
    const PlanDevice place{PlanKind::PcieSwitch, static_cast<int>(plan_.pcie_switches.size())};
    plan_.pcie_switches.push_back(format_pci_address(device.address));
    switches_.emplace(device.address, place.index);
    for (const PciAddress peer : device.peer_switches) {
      peers_.push_back({place.index, peer, device.where});
    }
    link(parent, place, keys_of(device, parent));
    for (const NcclPciDevice& child : device.children) add(child, place, &device);
  }

  void add_gpu(const NcclPciDevice& device, PlanDevice parent) {
    const PlanDevice place{PlanKind::Gpu, gpus_.at(&device)};
    if (device.gpu.c2c_megabytes_per_second > 0 && parent.kind == PlanKind::Cpu) {
      note(device.where, "a GPU with C2C to its CPU: its PCIe link is left out");
      return;
    }
    link(parent, place, keys_of(device, parent));
  }

  // Several ports of one card share its link.
  void add_adapter(const NcclPciDevice& device, PlanDevice parent) {
    const std::vector<int>& ports = ports_[&device];
    if (ports.empty()) return;
    if (ports.size() == 1) {
      link(parent, {PlanKind::Nic, ports.front()}, keys_of(device, parent));
      return;
    }
    const PlanDevice card{PlanKind::Adapter, static_cast<int>(plan_.adapters.size())};
    plan_.adapters.push_back(format_pci_address(device.address));
    link(parent, card, keys_of(device, parent));
    for (const int port : ports) {
      link(card, {PlanKind::Nic, port}, keys_of(device, card) + "latency = \"0 ns\"\n");
    }
  }

  // Switches under different CPUs that are cabled to each other.
  void join_switches() {
    for (const auto& [from, target, where] : peers_) {
      const auto found = switches_.find(target);
      if (found == switches_.end()) {
        note(where, fmt::format("its <pcilink> leads to {}, which is not in the file: left out",
                                format_pci_address(target)));
        continue;
      }
      const auto ends = std::minmax(from, found->second);
      if (ends.first == ends.second || !joined_.insert(ends).second) continue;
      link({PlanKind::PcieSwitch, ends.first}, {PlanKind::PcieSwitch, ends.second},
           keys("pcie4", "", kDefaultLanes, false));
      note(where, "its <pcilink> has no speed: taken as pcie4 with 16 lanes");
    }
  }

  std::string keys_of(const NcclPciDevice& device, PlanDevice parent) {
    const bool at_root = parent.kind == PlanKind::Cpu;
    const int lanes = device.speed.lanes == 0 ? kDefaultLanes : device.speed.lanes;
    if (device.speed.transfers == 0) {
      const std::string preset = input_.options.pcie_link.value_or("pcie3");
      if (!input_.options.pcie_link) {
        note(device.where,
             fmt::format("no PCIe speed is given: taken as {} with {} lanes, as NCCL does; "
                         "--pcie-link NAME takes another",
                         preset, lanes));
      }
      return keys(preset, "", lanes, at_root);
    }
    if (device.speed.lanes == 0) {
      note(device.where, "no number of PCIe lanes is given: taken as 16, as NCCL does");
    }
    std::string rate;
    if (device.speed.transfers < 8 * kGiga) {
      rate = device.speed.transfers == 5 * kGiga ? "5 GT/s" : "2.5 GT/s";
    }
    return keys(preset_of(device.speed.transfers), rate, lanes, at_root);
  }

  std::string keys(std::string_view preset, std::string_view rate, int lanes, bool at_root) const {
    std::string text = fmt::format("link = \"{}\"\n", preset);
    if (!rate.empty()) text += fmt::format("rate = \"{}\"\n", rate);
    if (lanes != kDefaultLanes) text += fmt::format("lanes = {}\n", lanes);
    if (at_root) {
      const Duration latency = input_.presets.find(preset)->latency + kHalfRootComplex;
      text += fmt::format("latency = \"{}\" # the link, and half of the root complex\n",
                          format_duration(latency));
    }
    return text;
  }

  struct PeerSwitch {
    int from;
    PciAddress target;
    FilePlace where;
  };

  const ServerPlanInput& input_;
  ServerPlan& plan_;
  std::map<const NcclPciDevice*, int> gpus_;
  std::map<const NcclPciDevice*, std::vector<int>> ports_;
  std::map<std::size_t, std::vector<int>> loose_ports_;  // by CPU
  std::map<int, std::int64_t> port_speeds_;
  std::map<PciAddress, int> switches_;
  std::vector<PeerSwitch> peers_;
  std::set<std::pair<int, int>> joined_;
};

}  // namespace

void plan_pcie(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan) {
  Planner(input, sites, plan).run();
}

}  // namespace ringspan
