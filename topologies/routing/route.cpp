#include "topologies/routing/route.h"

#include "sim/base/check.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

std::string_view path_kind_name(PathKind kind) {
  switch (kind) {
    case PathKind::Local:
      return "local";
    case PathKind::NvLink:
      return "nvlink";
    case PathKind::NvSwitch:
      return "nvswitch";
    case PathKind::NvLinkRelay:
      return "nvlink-relay";
    case PathKind::PcieSwitch:
      return "pcie-switch";
    case PathKind::PcieSwitches:
      return "pcie-switches";
    case PathKind::RootComplex:
      return "root-complex";
    case PathKind::Socket:
      return "socket";
  }
  fail_check("kind is an enumerator", "unknown path kind", __FILE__, __LINE__);
}

Route route_between_gpus(const Topology& topology, NodeId from, NodeId to) {
  return GpuRouter(topology).route(from, to);
}

SwitchPort switch_port(const Topology& topology, NodeId gpu) {
  return GpuRouter(topology).switch_port(gpu);
}

}  // namespace ringspan
