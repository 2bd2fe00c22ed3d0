#include "topologies/builders/server_reading.h"

#include <array>
#include <optional>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/device_reading.h"
#include "topologies/builders/link_reading.h"

namespace ringspan {

namespace {

constexpr std::array kPeerReaches = {PeerReach::Off, PeerReach::Switch, PeerReach::Socket,
                                     PeerReach::All};
constexpr std::array kDirectReaches = {GpuDirectReach::Off, GpuDirectReach::Switch,
                                       GpuDirectReach::Socket, GpuDirectReach::All};

// The outermost file that says something decides. All are read, so that none is left unchecked.
template <typename Enum, std::size_t N, typename NameOf>
Enum outermost_choice(const std::vector<ConfigNode>& nodes, std::string_view key,
                      const std::array<Enum, N>& values, NameOf name_of, Enum fallback) {
  Enum decided = fallback;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (given(*node, key)) decided = enum_choice(*node, key, values, name_of);
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

DomainDraft read_server(const UseChain& chain, const ServerContext& context,
                        std::vector<std::string>& notes) {
  DomainDraft draft;
  draft.where = chain.wiring().position();
  draft.peer_reach = outermost_choice(chain.nodes(), "peer_to_peer", kPeerReaches, peer_reach_name,
                                      PeerReach::Switch);
  draft.gpu_direct = outermost_choice(chain.nodes(), "gpu_direct", kDirectReaches,
                                      gpu_direct_reach_name, GpuDirectReach::Switch);
  const DeviceList devices =
      read_devices(chain.wiring(), read_other_gpu(chain.nodes()), context.networks, draft);
  read_links(chain.wiring(), context.presets, devices, draft, notes);
  if (!context.joined_outside) check_reach(chain.wiring(), devices, draft);
  return draft;
}

}  // namespace ringspan
