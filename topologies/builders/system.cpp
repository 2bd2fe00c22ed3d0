#include "topologies/builders/system.h"

#include <utility>

#include <fmt/format.h>

#include "topologies/builders/cluster_draft.h"
#include "topologies/builders/config_reading.h"
#include "topologies/builders/fault_reading.h"
#include "topologies/builders/network_reading.h"
#include "topologies/builders/nvlink_domain.h"
#include "topologies/builders/server_list.h"
#include "topologies/builders/system_header.h"
#include "topologies/builders/system_sections.h"
#include "topologies/builders/use_chain.h"

namespace ringspan {

namespace {

// More than one server and nothing between them.
[[noreturn]] void refuse_no_fabric(const SystemSections& sections, const ServerList& servers,
                                   const std::string& name) {
  const std::string message = fmt::format(
      "{} servers: several servers need a fabric, and {} has none", servers.servers(), name);
  const std::string hint =
      "add a table [fabric], such as kind = \"single-switch\" and link = \"ib-ndr\"";
  if (servers.servers() > servers.file_servers) {
    throw InputError(servers.asked_at, message, hint);
  }
  if (sections.counted) sections.counted->fail("count", message, hint);
  sections.pods.front().fail("count", message, hint);
}

std::int64_t gpus_alive(const ClusterDraft& draft) {
  std::int64_t gpus = 0;
  for (const std::int32_t kind : draft.kind_of_domain) {
    gpus += gpu_count(draft.kinds[static_cast<std::size_t>(kind)]);
  }
  return gpus;
}

void finish(const ConfigDocument& document, const UseChain& chain, const PodChains& pod_chains) {
  document.finish();
  chain.finish();
  for (const auto& pod_chain : pod_chains) pod_chain->finish();
}

}  // namespace

System read_system(ConfigDocument& document, const LinkPresets& presets, const SystemFinder& find,
                   const SystemOverrides& overrides, const SystemSize& size) {
  const UseChain chain(document, find, overrides);
  SystemInfo info = read_system_header(document.root());
  const SystemSections sections = find_sections(chain);
  NetworkList networks = read_networks(sections);
  networks.seed = size.seed;
  const auto racks = read_nvlink_domain(sections.fabric, presets, info.notes);
  PodChains pod_chains;
  ServerList servers = read_servers(chain, sections, {presets, networks.names, racks.has_value()},
                                    find, racks ? racks->servers : 1, pod_chains, info);
  info.servers = static_cast<int>(servers.file_servers);
  info.gpus = gpu_count(servers.types[servers.pods.front().type]);
  resize_servers(servers, size);
  const auto compute = racks ? racks->scale_out : sections.fabric;
  const bool several = servers.servers() > 1 && !racks;
  if (several && !compute && networks.transport.network == kComputeNetwork) {
    refuse_no_fabric(sections, servers, info.name);
  }
  const std::int64_t file_servers = servers.file_servers;
  const auto make_draft = [&] {
    return racks ? nvlink_domains(servers, *racks) : server_domains(servers);
  };
  ClusterDraft draft = make_draft();
  ReadFaults faults = apply_faults(sections.faults, networks.names, file_servers, draft);
  if (compute && replace_dead_gpus(servers, size, gpus_alive(draft))) {
    draft = make_draft();
    faults = apply_faults(sections.faults, networks.names, file_servers, draft);
  }
  BuiltNetworks built =
      build_networks(compute, networks, presets, draft, draft.servers() < file_servers, faults);
  finish(document, chain, pod_chains);
  // Of one domain the fabric was read to check it.
  if (draft.kind_of_domain.size() == 1) built.collective = nullptr;
  Cluster cluster =
      build_cluster(draft, info.name, networks.transport.network, std::move(built.collective));
  return {std::move(info), std::move(cluster), networks.transport, std::move(built.others),
          std::move(faults.all)};
}

}  // namespace ringspan
