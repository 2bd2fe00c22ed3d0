#pragma once

// The fabric: a directed multigraph of devices and links. It knows no traffic. Code flow:
//   TopologyBuilder      add devices and links (topologies/builders does so from TOML)
//   build()              checks the graph's rules, throws InputError with what is wrong
//   Topology             read-only; routes come from topologies/routing, drawings from export_dot()
// Every link is one direction; add_duplex() makes the two directions and ties them as `reverse`.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/links/link_class.h"
#include "sim/base/ids.h"
#include "sim/base/units.h"

namespace ringspan {

enum class DeviceKind { Gpu, NvSwitch, PcieSwitch, Cpu, Nic };

// "gpu", "nvswitch", "pcie-switch", "cpu", "nic".
std::string_view device_kind_name(DeviceKind kind);

// What a GPU is, as far as collectives care. Shared by all GPUs of one model.
struct GpuModel {
  std::string name;             // "H100"
  int compute_capability = 90;  // NVIDIA's, times ten; 0 for other vendors
  Bytes memory;                 // HBM or GDDR of one GPU
  Bandwidth memory_copy;        // local copy: bytes copied per second (read and written once each)
  bool operator==(const GpuModel&) const = default;
};

// Device::server of what sits in no server: the NVSwitches of a rack.
inline constexpr std::int32_t kNoServer = -1;

struct Device {
  std::string name;  // unique in its server: "gpu0"
  DeviceKind kind = DeviceKind::Gpu;
  std::int32_t server = 0;      // which server it sits in, or kNoServer
  std::int32_t model = -1;      // GPU: index into Topology::gpu_models(); else -1
  std::string vendor;           // CPU: "intel", "amd", "arm", ...; else empty
  bool multicast = false;       // NVSwitch: multicast and in-switch reduction (NVLS)
  std::string generation = {};  // Intel CPU: "skylake", ...; empty where it is not known
};

struct Link {
  NodeId from, to;
  LinkClass link_class = LinkClass::Pcie;
  std::string preset;       // name of the preset, or "custom"
  std::int32_t count = 1;   // parallel links (NVLink) or lanes (PCIe) bundled in this edge
  Bandwidth raw;            // of the bundle, this direction
  Bandwidth nominal;        // after coding
  double efficiency = 1.0;  // payload / nominal
  Duration latency{};
  LinkId reverse;  // the opposite direction of the same cable

  Bandwidth payload() const { return scaled(nominal, efficiency); }
};

// How far peer-to-peer copies reach between GPUs without NVLink. What lies beyond is staged through
// host memory. NCCL's default is Switch (NCCL_P2P_LEVEL=PXB).
enum class PeerReach {
  Off,     // nowhere (a VM, a driver without peer-to-peer)
  Switch,  // through PCIe switches only
  Socket,  // also through the root complex of one CPU
  All,     // also across the socket link
};

std::string_view peer_reach_name(PeerReach reach);  // "off", "switch", "socket", "all"

class Topology {
 public:
  const std::string& name() const { return name_; }
  std::span<const Device> devices() const { return devices_; }
  std::span<const Link> links() const { return links_; }
  const Device& device(NodeId id) const { return devices_[id.index()]; }
  const Link& link(LinkId id) const { return links_[id.index()]; }
  // Outgoing links, in the order added.
  std::span<const LinkId> out_links(NodeId id) const;
  // GPUs in rank order: server by server, in the order added.
  std::span<const NodeId> gpus() const { return gpus_; }
  std::span<const GpuModel> gpu_models() const { return gpu_models_; }
  const GpuModel& gpu_model(NodeId gpu) const;
  int server_count() const { return server_count_; }
  PeerReach peer_reach() const { return peer_reach_; }
  // All NVSwitches there are multicast-capable, and there is one.
  bool has_multicast() const { return has_multicast_; }

 private:
  friend class TopologyBuilder;
  std::string name_;
  std::vector<Device> devices_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> out_begin_;  // CSR over out_links_
  std::vector<LinkId> out_links_;
  std::vector<NodeId> gpus_;
  std::vector<GpuModel> gpu_models_;
  int server_count_ = 1;
  bool has_multicast_ = false;
  PeerReach peer_reach_ = PeerReach::Switch;
};

class TopologyBuilder {
 public:
  explicit TopologyBuilder(std::string name);

  void set_peer_reach(PeerReach reach);
  std::int32_t add_gpu_model(GpuModel model);  // returns the index of an equal one if there is one
  NodeId add_device(Device device);
  // Adds both directions with the same rates; returns the one from `a` to `b`.
  LinkId add_duplex(NodeId a, NodeId b, Link properties);

  // Rules: at least one GPU; names unique in a server; no link from a device to itself; positive
  // rates; efficiency in (0, 1]; latency not negative; every GPU reachable from every other one of
  // its server. Throws InputError (without position; the reader of files checks earlier where it
  // can name the line).
  Topology build() &&;

 private:
  Topology topology_;
};

// Graphviz text; one edge per duplex link, labelled with count, preset and per-direction rate.
std::string export_dot(const Topology& topology);

}  // namespace ringspan
