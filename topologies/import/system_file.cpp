#include "topologies/import/system_file.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/config/toml_text.h"

namespace ringspan {

namespace {

std::string_view stem(PlanKind kind) {
  switch (kind) {
    case PlanKind::Gpu:
      return "gpu";
    case PlanKind::NvSwitch:
      return "nvswitch";
    case PlanKind::PcieSwitch:
      return "psw";
    case PlanKind::Adapter:
      return "adapter";
    case PlanKind::Cpu:
      return "cpu";
    case PlanKind::Nic:
      break;
  }
  return "nic";
}

// Devices of one kind, ascending: "gpu*", "gpu3", "gpu[0-3,6]".
std::string pattern(PlanKind kind, const std::vector<int>& indices, int all) {
  if (static_cast<int>(indices.size()) == all && all > 1) return fmt::format("{}*", stem(kind));
  if (indices.size() == 1) return fmt::format("{}{}", stem(kind), indices.front());
  std::string list;
  for (std::size_t i = 0; i < indices.size();) {
    std::size_t end = i;
    while (end + 1 < indices.size() && indices[end + 1] == indices[end] + 1) ++end;
    list += fmt::format("{}{}", list.empty() ? "" : ",", indices[i]);
    if (end > i) list += fmt::format("-{}", indices[end]);
    i = end + 1;
  }
  return fmt::format("{}[{}]", stem(kind), list);
}

// What the devices of a kind have beyond name and kind; equal texts are one table.
struct DeviceRow {
  std::string keys;
  std::string comment;
};

class Writer {
 public:
  explicit Writer(const ServerPlan& plan) : plan_(plan) {
    counts_ = {{PlanKind::Gpu, static_cast<int>(plan.gpus.size())},
               {PlanKind::NvSwitch, static_cast<int>(plan.nvswitches.size())},
               {PlanKind::PcieSwitch, static_cast<int>(plan.pcie_switches.size())},
               {PlanKind::Adapter, static_cast<int>(plan.adapters.size())},
               {PlanKind::Cpu, static_cast<int>(plan.cpu_vendors.size())},
               {PlanKind::Nic, static_cast<int>(plan.nics.size())}};
  }

  std::string write(const std::string& name, const std::string& source,
                    const std::vector<std::string>& notes) {
    text_ = fmt::format("name = {}\n", toml_string(name));
    text_ += fmt::format("description = {}\n", toml_string(description()));
    text_ += fmt::format("sources = [{}]\n", toml_string("ringspan import " + source));
    if (!notes.empty()) text_ += "\n# What the import assumed or left out:\n";
    for (const std::string& note : notes) text_ += fmt::format("#   {}\n", note);
    text_ += "\n[node]\n";
    const int servers = std::max(plan_.servers, plan_.domain.servers);
    if (servers > 1) text_ += fmt::format("count = {}\n", servers);
    if (!plan_.peer_to_peer.empty()) {
      text_ += fmt::format("peer_to_peer = \"{}\"\n", plan_.peer_to_peer);
    }
    if (!plan_.gpu_direct.empty()) {
      text_ += fmt::format("gpu_direct = \"{}\"\n", plan_.gpu_direct);
    }
    add_devices();
    add_links(plan_.nvlinks, "Between GPUs, and to NVSwitches.");
    add_links(plan_.c2c, "C2C.");
    add_links(plan_.pcie, "PCIe.");
    add_links(plan_.sockets, "Between CPUs.");
    add_fabric();
    return std::move(text_);
  }

 private:
  std::string description() const {
    std::string text = fmt::format("{}x {}", plan_.gpus.size(), plan_.gpus.front().name);
    if (!plan_.nvswitches.empty()) text += fmt::format(", {} NVSwitch", plan_.nvswitches.size());
    if (!plan_.nics.empty()) {
      text += fmt::format(", {} NIC{}", plan_.nics.size(), plan_.nics.size() == 1 ? "" : "s");
    }
    return text + ", imported from NCCL's topology";
  }

  void add_devices() {
    std::vector<DeviceRow> rows;
    for (std::size_t i = 0; i < plan_.gpus.size(); ++i) {
      const GpuEntry& gpu = plan_.gpus[i];
      rows.push_back(
          {fmt::format("model = {}\ncompute_capability = {}\nmemory = \"{}\"\n"
                       "memory_copy = \"{}\"\n",
                       toml_string(gpu.name), gpu.compute_capability, gpu.memory, gpu.memory_copy),
           plan_.gpu_comments[i]});
    }
    add_devices(PlanKind::Gpu, "gpu", rows);
    rows.clear();
    for (const std::string& comment : plan_.nvswitches) {
      rows.push_back({plan_.multicast ? "multicast = true\n" : "", comment});
    }
    add_devices(PlanKind::NvSwitch, "nvswitch", rows);
    add_plain(PlanKind::PcieSwitch, plan_.pcie_switches);
    add_plain(PlanKind::Adapter, plan_.adapters);
    rows.clear();
    for (std::size_t i = 0; i < plan_.cpu_vendors.size(); ++i) {
      std::string keys = fmt::format("vendor = \"{}\"\n", plan_.cpu_vendors[i]);
      const std::string& generation = plan_.cpu_generations[i];
      if (!generation.empty()) keys += fmt::format("generation = \"{}\"\n", generation);
      rows.push_back({std::move(keys), plan_.cpu_comments[i]});
    }
    add_devices(PlanKind::Cpu, "cpu", rows);
    rows.clear();
    for (const PlanNic& nic : plan_.nics) {
      const bool compute = nic.network == "compute";
      rows.push_back({compute ? "" : fmt::format("network = \"{}\"\n", nic.network), nic.comment});
    }
    add_devices(PlanKind::Nic, "nic", rows);
  }

  void add_plain(PlanKind kind, const std::vector<std::string>& comments) {
    std::vector<DeviceRow> rows;
    for (const std::string& comment : comments) rows.push_back({"", comment});
    add_devices(kind, "pcie-switch", rows);
  }

  // One table where all are alike, else one each.
  void add_devices(PlanKind kind, std::string_view kind_name, const std::vector<DeviceRow>& rows) {
    if (rows.empty()) return;
    const bool alike = std::all_of(rows.begin(), rows.end(), [&](const DeviceRow& row) {
      return row.keys == rows.front().keys;
    });
    if (!alike) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        add_comment({rows[i]});
        text_ += fmt::format("[[node.device]]\nname = \"{}{}\"\nkind = \"{}\"\n{}", stem(kind), i,
                             kind_name, rows[i].keys);
      }
      return;
    }
    add_comment(rows);
    text_ += fmt::format("[[node.device]]\nname = \"{}\"\nkind = \"{}\"\ncount = {}\n{}",
                         stem(kind), kind_name, rows.size(), rows.front().keys);
  }

  void add_comment(const std::vector<DeviceRow>& rows) {
    constexpr std::size_t kWidth = 100;
    text_ += '\n';
    std::string line = "#";
    for (const DeviceRow& row : rows) {
      if (row.comment.empty()) continue;
      const std::string word = fmt::format("{}{}", line.size() > 1 ? "," : "", " " + row.comment);
      if (line.size() + word.size() > kWidth && line.size() > 1) {
        text_ += line + ",\n";
        line = "# " + row.comment;
      } else {
        line += word;
      }
    }
    if (line.size() > 1) text_ += line + "\n";
  }

  struct Ends {
    std::vector<PlanDevice> from, to;
    std::string keys;
  };

  // Links with the same keys from one device are one table, and devices with the same links too.
  static std::vector<Ends> grouped(const std::vector<PlanLink>& links) {
    std::vector<Ends> of_one;
    std::map<std::pair<PlanDevice, std::string>, std::size_t> known;
    for (const PlanLink& link : links) {
      const auto [entry, is_new] = known.emplace(std::pair(link.from, link.keys), of_one.size());
      if (is_new) of_one.push_back({{link.from}, {}, link.keys});
      of_one[entry->second].to.push_back(link.to);
    }
    std::vector<Ends> groups;
    std::map<std::pair<std::vector<PlanDevice>, std::string>, std::size_t> alike;
    for (Ends& one : of_one) {
      std::sort(one.to.begin(), one.to.end());
      const auto [entry, is_new] = alike.emplace(std::pair(one.to, one.keys), groups.size());
      if (is_new) {
        groups.push_back(std::move(one));
      } else {
        groups[entry->second].from.push_back(one.from.front());
      }
    }
    return groups;
  }

  void add_links(const std::vector<PlanLink>& links, std::string_view heading) {
    if (links.empty()) return;
    text_ += fmt::format("\n# {}", heading);
    for (Ends& ends : grouped(links)) {
      std::sort(ends.from.begin(), ends.from.end());
      text_ += fmt::format("\n[[node.link]]\nfrom = {}\nto = {}\n{}", patterns(ends.from),
                           patterns(ends.to), ends.keys);
    }
  }

  std::string patterns(const std::vector<PlanDevice>& devices) const {
    std::map<PlanKind, std::vector<int>> indices;
    for (const PlanDevice& device : devices) indices[device.kind].push_back(device.index);
    std::vector<std::string> texts;
    for (const auto& [kind, list] : indices) texts.push_back(pattern(kind, list, counts_.at(kind)));
    return texts.size() == 1 ? toml_string(texts.front()) : toml_strings(texts);
  }

  void add_fabric() {
    const PlanDomain& domain = plan_.domain;
    if (domain.servers > 1) {
      text_ += fmt::format(
          "\n[fabric]\nkind = \"nvlink-domain\"\nservers = {}\nswitches = {}\nlink = \"{}\"\n"
          "links_per_switch = {}\nmulticast = {}\n",
          domain.servers, domain.switches, domain.nvlink, domain.links_per_switch, plan_.multicast);
    }
    if (plan_.port_link.empty()) return;
    text_ += fmt::format(
        "\n# How several of them are joined is not in the file: NIC r of every server on leaf r.\n"
        "[fabric{}]\nkind = \"rail-optimized\"\nlink = \"{}\"\n",
        domain.servers > 1 ? ".scale_out" : "", plan_.port_link);
    if (!plan_.port_rate.empty()) text_ += fmt::format("port_rate = \"{}\"\n", plan_.port_rate);
  }

  const ServerPlan& plan_;
  std::map<PlanKind, int> counts_;
  std::string text_;
};

}  // namespace

std::string system_file_text(const ServerPlan& plan, const std::string& name,
                             const std::string& source, const std::vector<std::string>& notes) {
  return Writer(plan).write(name, source, notes);
}

}  // namespace ringspan
