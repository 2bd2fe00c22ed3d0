#include "topologies/graph/topology.h"

#include "sim/base/check.h"

namespace ringspan {

std::string_view device_kind_name(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::Gpu:
      return "gpu";
    case DeviceKind::NvSwitch:
      return "nvswitch";
    case DeviceKind::PcieSwitch:
      return "pcie-switch";
    case DeviceKind::Cpu:
      return "cpu";
    case DeviceKind::Nic:
      return "nic";
  }
  fail_check("kind is an enumerator", "unknown device kind", __FILE__, __LINE__);
}

std::string_view peer_reach_name(PeerReach reach) {
  switch (reach) {
    case PeerReach::Off:
      return "off";
    case PeerReach::Switch:
      return "switch";
    case PeerReach::Socket:
      return "socket";
    case PeerReach::All:
      return "all";
  }
  fail_check("reach is an enumerator", "unknown peer reach", __FILE__, __LINE__);
}

std::span<const LinkId> Topology::out_links(NodeId id) const {
  const std::uint32_t begin = out_begin_[id.index()];
  return std::span(out_links_).subspan(begin, out_begin_[id.index() + 1] - begin);
}

const GpuModel& Topology::gpu_model(NodeId gpu) const {
  const std::int32_t model = device(gpu).model;
  RINGSPAN_CHECK(model >= 0, "only a GPU has a GPU model");
  return gpu_models_[static_cast<std::size_t>(model)];
}

}  // namespace ringspan
