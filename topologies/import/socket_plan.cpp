#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "topologies/import/plan_parts.h"

namespace ringspan {

namespace {

constexpr const char* kIntel = "intel";
constexpr const char* kAmd = "amd";

const char* vendor_of(const NcclCpu& cpu) {
  if (cpu.architecture == "arm64" || cpu.architecture == "aarch64") return "arm";
  if (cpu.architecture.starts_with("ppc64")) return "power";
  if (cpu.vendor == "AuthenticAMD") return kAmd;
  return cpu.vendor == "GenuineIntel" || cpu.vendor.empty() ? kIntel : "other";
}

// Links between Intel sockets by CPU model (family 6): Emerald Rapids has 20 GT/s, Sapphire Rapids
// 16, Ice Lake 11.2, Skylake and Cascade Lake 10.4, before them QPI.
constexpr int kEmeraldRapids = 0xcf, kSapphireRapids = 0x8f, kIceLake = 0x6a, kSkylake = 0x55;

std::string intel_link(int model) {
  if (model >= kEmeraldRapids) return "link = \"upi2\"\nrate = \"40 GB/s\"\ncount = 3\n";
  if (model >= kSapphireRapids) return "link = \"upi2\"\ncount = 3\n";
  if (model >= kIceLake) return "link = \"upi-icelake\"\ncount = 3\n";
  if (model >= kSkylake || model == 0) return "link = \"upi1\"\ncount = 3\n";
  return "link = \"qpi\"\ncount = 2\n";
}

// As NCCL tells them apart; empty: not known.
std::string generation_of(const NcclCpu& cpu) {
  if (cpu.model == 0 || vendor_of(cpu) != std::string_view(kIntel)) return {};
  if (cpu.model >= kEmeraldRapids) return "emerald-rapids";
  if (cpu.model >= kSapphireRapids) return "sapphire-rapids";
  return cpu.model >= kSkylake ? "skylake" : "broadwell";
}

// Zen 4 (family 25, model 16 and up) and later have xGMI 3.
bool has_xgmi3(const NcclCpu& cpu) {
  constexpr int kZen3Family = 25, kGenoa = 16;
  return cpu.family > kZen3Family || (cpu.family == kZen3Family && cpu.model >= kGenoa);
}

class Planner {
 public:
  Planner(const ServerPlanInput& input, ServerPlan& plan)
      : cpus_(input.topology.cpus), notes_(input.notes), plan_(plan) {
    std::int64_t last = 0;
    for (const NcclCpu& cpu : cpus_) last = std::max(last, cpu.numa_node);
    // NUMA nodes without GPU or NIC are not in the file; sockets have a power of two of them.
    const auto nodes = std::bit_ceil(static_cast<std::uint64_t>(last) + 1);
    nodes_of_socket_ = std::max<std::int64_t>(static_cast<std::int64_t>(nodes) / 2, 1);
  }

  void run() {
    for (const NcclCpu& cpu : cpus_) {
      plan_.cpu_vendors.emplace_back(vendor_of(cpu));
      plan_.cpu_generations.push_back(generation_of(cpu));
      plan_.cpu_comments.push_back(fmt::format("NUMA node {}", cpu.numa_node));
      if (cpu.vendor.empty() && cpu.architecture.empty()) {
        notes_.add(cpu.where.line, cpu.where.column,
                   "no arch and vendor of the CPU: taken as Intel");
      }
    }
    for (std::size_t a = 0; a < cpus_.size(); ++a) {
      for (std::size_t b = a + 1; b < cpus_.size(); ++b) {
        plan_.sockets.push_back({{PlanKind::Cpu, static_cast<int>(a)},
                                 {PlanKind::Cpu, static_cast<int>(b)},
                                 keys(a, b)});
      }
    }
    if (cpus_.size() > 1) {
      notes_.add(fmt::format("links between CPUs are not in the file: taken from the CPUs' model{}",
                             plan_.cpu_vendors.front() == kAmd && nodes_of_socket_ > 1
                                 ? fmt::format(", and {} NUMA nodes as a socket", nodes_of_socket_)
                                 : ""));
    }
  }

 private:
  std::int64_t socket_of(const NcclCpu& cpu) const { return cpu.numa_node / nodes_of_socket_; }

  // All links of two sockets together are four xGMI; three with one NUMA node a socket, as usual.
  std::string keys(std::size_t a, std::size_t b) const {
    const std::string& vendor = plan_.cpu_vendors[a];
    if (vendor == kAmd) {
      if (socket_of(cpus_[a]) == socket_of(cpus_[b])) return "link = \"amd-io-die\"\n";
      const char* preset = has_xgmi3(cpus_[a]) ? "xgmi3" : "xgmi2";
      return fmt::format("link = \"{}\"\n{}", preset, nodes_of_socket_ == 1 ? "count = 3\n" : "");
    }
    if (vendor == kIntel) return intel_link(cpus_[a].model);
    if (vendor == "arm") return "link = \"grace-clink\"\n";
    const char* rate = vendor == "power" ? "64 GB/s" : "12 GB/s";
    return fmt::format(
        "class = \"socket\"\nrate = \"{}\"\nefficiency = 0.5\nlatency = \"120 ns\"\n", rate);
  }

  const std::vector<NcclCpu>& cpus_;
  ImportNotes& notes_;
  ServerPlan& plan_;
  std::int64_t nodes_of_socket_ = 1;
};

}  // namespace

void plan_sockets(const ServerPlanInput& input, ServerPlan& plan) { Planner(input, plan).run(); }

}  // namespace ringspan
