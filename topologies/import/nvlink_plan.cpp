#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"
#include "topologies/import/plan_parts.h"

namespace ringspan {

namespace {

constexpr const char* kDirectLatency = "latency = \"450 ns\" # GPU to GPU without a switch\n";
constexpr int kSwitchedFrom = 8;  // GPUs of a server that an NVSwitch joins
constexpr int kFirstMulticast = 90;
constexpr int kMostLinks = 1'024;
constexpr std::size_t kMostSwitches = 1'024;

class Planner {
 public:
  Planner(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan)
      : input_(input), sites_(sites), plan_(plan) {
    for (std::size_t i = 0; i < sites.gpus.size(); ++i) {
      gpus_.emplace(format_pci_address(sites.gpus[i].device->address), static_cast<int>(i));
    }
  }

  void run() {
    if (input_.options.nvlink) {
      wire(*input_.options.nvlink);
    } else if (input_.topology.is_template) {
      wire_template();
    } else {
      read_file();
    }
    for (const GpuEntry& gpu : plan_.gpus) {
      plan_.multicast = plan_.multicast || gpu.compute_capability >= kFirstMulticast;
    }
    if (input_.servers > 1) move_switches_out();
    add_c2c();
  }

 private:
  int gpu_count() const { return static_cast<int>(plan_.gpus.size()); }

  void note(FilePlace where, std::string text) {
    input_.notes.add(where.line, where.column, std::move(text));
  }

  std::string preset(int gpu) const {
    const GpuEntry& entry = plan_.gpus[static_cast<std::size_t>(gpu)];
    return entry.nvlink.empty() ? input_.gpus.nvlink_of_capability(entry.compute_capability)
                                : entry.nvlink;
  }

  std::string keys(int gpu, int count, bool direct) const {
    std::string text = fmt::format("link = \"{}\"\n", preset(gpu));
    if (count != 1) text += fmt::format("count = {}\n", count);
    if (direct) text += kDirectLatency;
    return text;
  }

  void add(int gpu, PlanDevice to, int count) {
    if (count > kMostLinks) {
      const FilePlace where = sites_.gpus[static_cast<std::size_t>(gpu)].device->where;
      throw InputError(SourcePosition{input_.file, where.line, where.column},
                       fmt::format("{} NVLinks from this GPU to one peer", count),
                       fmt::format("at most {}", kMostLinks));
    }
    const bool direct = to.kind != PlanKind::NvSwitch;
    plan_.nvlinks.push_back({{PlanKind::Gpu, gpu}, to, keys(gpu, count, direct)});
    count_ = count;
  }

  // ---- what the file says

  void read_file() {
    std::map<std::string, std::map<int, int>> switches;        // target -> links of each GPU
    std::map<std::pair<int, int>, std::pair<int, int>> pairs;  // links as each end lists them
    for (int gpu = 0; gpu < gpu_count(); ++gpu) {
      for (const NcclNvlinks& links :
           sites_.gpus[static_cast<std::size_t>(gpu)].device->gpu.nvlinks) {
        switch (links.peer) {
          case NvlinkPeer::Switch:
            switches[links.target][gpu] += links.count;
            break;
          case NvlinkPeer::Gpu:
            add_pair(gpu, links, pairs);
            break;
          case NvlinkPeer::Cpu:
            note(links.where, "NVLinks to a CPU are left out: GPUs reach it over PCIe");
            break;
        }
      }
    }
    for (const auto& [target, counts] : switches) {
      const PlanDevice place{PlanKind::NvSwitch, static_cast<int>(plan_.nvswitches.size())};
      plan_.nvswitches.push_back(harmless_text(target));
      for (const auto& [gpu, count] : counts) add(gpu, place, count);
    }
    for (const auto& [ends, counts] : pairs) {
      if (counts.first != counts.second) {
        note(sites_.gpus[static_cast<std::size_t>(ends.first)].device->where,
             fmt::format("gpu{} and gpu{} list {} and {} NVLinks to each other: the larger number "
                         "is taken",
                         ends.first, ends.second, counts.first, counts.second));
      }
      add(ends.first, {PlanKind::Gpu, ends.second}, std::max(counts.first, counts.second));
    }
  }

  void add_pair(int gpu, const NcclNvlinks& links,
                std::map<std::pair<int, int>, std::pair<int, int>>& pairs) {
    const auto peer = gpus_.find(links.target);
    if (peer == gpus_.end()) {
      note(links.where, "NVLinks to a GPU that is not in the file are left out");
      return;
    }
    if (peer->second == gpu) {
      note(links.where, "NVLinks from a GPU to itself are left out");
      return;
    }
    auto& counts = pairs[std::minmax(gpu, peer->second)];
    (gpu < peer->second ? counts.first : counts.second) += links.count;
  }

  // ---- what it does not say

  void wire_template() {
    const GpuEntry& gpu = plan_.gpus.front();
    const bool alike = std::all_of(plan_.gpus.begin(), plan_.gpus.end(),
                                   [&](const GpuEntry& one) { return one.name == gpu.name; });
    const int others = gpu_count() - 1;
    NvlinkWiring wiring = NvlinkWiring::None;
    if (alike && gpu.nvlinks > 0 && others > 0) {
      if (gpu.nvswitches > 0 && gpu_count() >= kSwitchedFrom) {
        wiring = NvlinkWiring::Switch;
      } else if (gpu.nvlinks % others == 0 && gpu_count() < kSwitchedFrom) {
        wiring = NvlinkWiring::Mesh;
      }
    }
    constexpr std::string_view kTemplate =
        "a template without <gpu> says nothing of NVLink, which NCCL finds on the machine: ";
    constexpr std::string_view kOther = "; --nvlink switch|mesh|none takes another";
    switch (wiring) {
      case NvlinkWiring::None:
        input_.notes.add(fmt::format("{}taken as none{}", kTemplate, kOther));
        break;
      case NvlinkWiring::Mesh:
        input_.notes.add(fmt::format("{}taken as {} of {} between every two GPUs{}", kTemplate,
                                     gpu.nvlinks / others, gpu.nvlink, kOther));
        break;
      case NvlinkWiring::Switch:
        input_.notes.add(fmt::format("{}taken as {} of {} from every GPU to {} NVSwitches{}",
                                     kTemplate, gpu.nvlinks, gpu.nvlink, gpu.nvswitches, kOther));
        break;
    }
    wire(wiring);
  }

  void wire(NvlinkWiring wiring) {
    if (wiring == NvlinkWiring::None || gpu_count() < 2) return;
    for (const GpuEntry& gpu : plan_.gpus) {
      if (gpu.nvlinks > 0) continue;
      throw InputError(fmt::format("how many NVLinks a {} has is not known", gpu.name),
                       "leave out --nvlink, or give --gpu with a model for NVSwitches, such as "
                       "\"H100 SXM\"");
    }
    if (wiring == NvlinkWiring::Switch) {
      wire_switches();
    } else {
      wire_mesh();
    }
  }

  void wire_switches() {
    const int switches = std::max(plan_.gpus.front().nvswitches, 1);
    for (int s = 0; s < switches; ++s) plan_.nvswitches.emplace_back();
    for (int gpu = 0; gpu < gpu_count(); ++gpu) {
      const int links = plan_.gpus[static_cast<std::size_t>(gpu)].nvlinks;
      for (int s = 0; s < switches; ++s) {
        const int count = links / switches + (s < links % switches ? 1 : 0);
        if (count > 0) add(gpu, {PlanKind::NvSwitch, s}, count);
      }
    }
  }

  void wire_mesh() {
    const int others = gpu_count() - 1;
    for (int a = 0; a < gpu_count(); ++a) {
      const int links = plan_.gpus[static_cast<std::size_t>(a)].nvlinks;
      if (links < others) {
        throw InputError(fmt::format("{} NVLinks of a GPU do not reach {} others", links, others),
                         "give --nvlink switch or none");
      }
      for (int b = a + 1; b < gpu_count(); ++b) add(a, {PlanKind::Gpu, b}, links / others);
    }
  }

  // ---- an NVLink domain

  // The fabric `nvlink-domain` has the same links from every GPU to every switch.
  void move_switches_out() {
    const NcclCpu& cpu = input_.topology.cpus.front();
    const auto refuse = [&](const char* message) {
      throw InputError(SourcePosition{input_.file, cpu.where.line, cpu.where.column}, message,
                       "dump one server, and describe the domain by [fabric] (docs/formats.md)");
    };
    if (plan_.nvswitches.empty()) refuse("no NVSwitch joins the servers of the file");
    if (plan_.nvswitches.size() > kMostSwitches) refuse("no NVLink domain has so many switches");
    const std::size_t links = plan_.gpus.size() * plan_.nvswitches.size();
    bool even = plan_.nvlinks.size() == links;
    for (const PlanLink& link : plan_.nvlinks) {
      even = even && link.to.kind == PlanKind::NvSwitch && link.keys == plan_.nvlinks.front().keys;
    }
    if (!even) refuse("the GPUs of the file have different NVLinks to their switches");
    plan_.domain = {input_.servers, static_cast<int>(plan_.nvswitches.size()), count_, preset(0)};
    plan_.nvlinks.clear();
    plan_.nvswitches.clear();
    input_.notes.add(
        fmt::format("{} servers in one NVLink domain: the first is taken for all", input_.servers));
  }

  void add_c2c() {
    constexpr std::int64_t kMegabytesPerGigabyte = 1'000;
    for (int gpu = 0; gpu < gpu_count(); ++gpu) {
      const GpuSite& site = sites_.gpus[static_cast<std::size_t>(gpu)];
      const std::int64_t rate = site.device->gpu.c2c_megabytes_per_second;
      if (rate == 0) continue;
      const std::string text = rate % kMegabytesPerGigabyte == 0
                                   ? fmt::format("{} GB/s", rate / kMegabytesPerGigabyte)
                                   : fmt::format("{} MB/s", rate);
      plan_.c2c.push_back({{PlanKind::Gpu, gpu},
                           {PlanKind::Cpu, static_cast<int>(site.cpu)},
                           fmt::format("link = \"c2c\"\nrate = \"{}\"\n", text)});
    }
  }

  const ServerPlanInput& input_;
  const ServerSites& sites_;
  ServerPlan& plan_;
  std::map<std::string, int> gpus_;
  int count_ = 0;  // links of the pair added last
};

}  // namespace

void plan_nvlinks(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan) {
  Planner(input, sites, plan).run();
}

}  // namespace ringspan
