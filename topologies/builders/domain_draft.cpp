#include "topologies/builders/domain_draft.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ringspan {

std::int32_t DomainDraft::add_gpu_model(const GpuModel& model) {
  const auto found = std::find(gpu_models.begin(), gpu_models.end(), model);
  if (found == gpu_models.end()) {
    gpu_models.push_back(model);
    return static_cast<std::int32_t>(gpu_models.size() - 1);
  }
  return static_cast<std::int32_t>(found - gpu_models.begin());
}

NodeId DomainDraft::add_device(Device device, std::string network) {
  devices.push_back(std::move(device));
  networks.push_back(std::move(network));
  dead.push_back(false);
  return NodeId{static_cast<std::uint32_t>(devices.size() - 1)};
}

int gpu_count(const DomainDraft& draft) {
  int gpus = 0;
  for (std::size_t i = 0; i < draft.devices.size(); ++i) {
    if (draft.devices[i].kind == DeviceKind::Gpu && !draft.dead[i]) ++gpus;
  }
  return gpus;
}

NicList nics_on(const DomainDraft& draft, const std::string& network) {
  std::vector<NodeId> all;
  for (std::uint32_t i = 0; i < draft.devices.size(); ++i) {
    const bool is_nic = draft.devices[i].kind == DeviceKind::Nic;
    if (is_nic && draft.networks[i] == network) all.push_back(NodeId{i});
  }
  const auto server = [&](NodeId id) { return draft.devices[id.index()].server; };
  std::stable_sort(all.begin(), all.end(),
                   [&](NodeId a, NodeId b) { return server(a) < server(b); });
  NicList list;
  std::int32_t rail = 0, of_server = -1;
  for (const NodeId nic : all) {
    rail = server(nic) == of_server ? rail + 1 : 0;
    of_server = server(nic);
    if (draft.dead[nic.index()]) continue;
    list.nics.push_back(nic);
    list.rails.push_back(rail);
  }
  return list;
}

DomainKind build_domain(const DomainDraft& draft, const std::string& name,
                        const std::string& network) {
  TopologyBuilder builder(name);
  builder.set_peer_reach(draft.peer_reach);
  std::vector<std::int32_t> models;
  models.reserve(draft.gpu_models.size());
  for (const GpuModel& model : draft.gpu_models) models.push_back(builder.add_gpu_model(model));
  std::vector<NodeId> built(draft.devices.size());
  for (std::size_t i = 0; i < draft.devices.size(); ++i) {
    if (draft.dead[i]) continue;
    Device device = draft.devices[i];
    if (device.model >= 0) device.model = models[static_cast<std::size_t>(device.model)];
    built[i] = builder.add_device(std::move(device));
  }
  for (const Cable& cable : draft.cables) {
    if (cable.dead || draft.dead[cable.a.index()] || draft.dead[cable.b.index()]) continue;
    builder.add_duplex(built[cable.a.index()], built[cable.b.index()], draft.links[cable.link]);
  }
  NicList list = nics_on(draft, network);
  for (NodeId& nic : list.nics) nic = built[nic.index()];
  DomainKind kind{std::move(builder).build(),
                  {},
                  std::move(list.nics),
                  std::move(list.rails),
                  draft.gpu_direct};
  kind.gpus.assign(kind.topology.gpus().begin(), kind.topology.gpus().end());
  return kind;
}

}  // namespace ringspan
