#include "topologies/builders/system.h"

#include <array>
#include <utility>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/device_reading.h"
#include "topologies/builders/link_reading.h"
#include "topologies/builders/system_header.h"
#include "topologies/builders/use_chain.h"

namespace ringspan {

namespace {

constexpr std::array kReaches = {PeerReach::Off, PeerReach::Switch, PeerReach::Socket,
                                 PeerReach::All};

// The outermost file that says something decides. All are read, so that none is left unchecked.
PeerReach read_peer_reach(const std::vector<ConfigNode>& nodes) {
  PeerReach decided = PeerReach::Switch;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (!given(*node, "peer_to_peer")) continue;
    decided = enum_choice(*node, "peer_to_peer", kReaches, peer_reach_name);
  }
  return decided;
}

// [node.gpu]: the wiring of another system with other GPUs. The outermost file decides.
std::optional<GpuModel> read_other_gpu(const std::vector<ConfigNode>& nodes) {
  std::optional<GpuModel> decided;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    const std::optional<ConfigNode> table = node->find_child("gpu");
    if (!table) continue;
    if (!node->has("use")) {
      node->fail("gpu", "[node.gpu] replaces the GPUs of the system that `use` names",
                 "describe the GPUs in their [[node.device]], or add use = \"NAME\"");
    }
    decided = read_gpu_model(*table);
  }
  return decided;
}

}  // namespace

System read_system(ConfigDocument& document, const LinkPresets& presets, const SystemFinder& find,
                   const SystemOverrides& overrides) {
  const UseChain chain(document, find, overrides);
  SystemInfo info = read_system_header(document.root());
  info.sources.insert(info.sources.end(), chain.sources().begin(), chain.sources().end());
  TopologyBuilder builder(info.name);
  builder.set_peer_reach(read_peer_reach(chain.nodes()));
  const DeviceList devices = read_devices(chain.wiring(), read_other_gpu(chain.nodes()), builder);
  read_links(chain.wiring(), presets, devices, builder, info.notes);
  document.finish();
  chain.finish();
  info.gpus = static_cast<int>(devices.gpus.size());
  return {std::move(info), Cluster(std::move(builder).build())};
}

SystemInfo read_system_summary(const ConfigDocument& document) {
  return read_system_header(document.root());
}

}  // namespace ringspan
