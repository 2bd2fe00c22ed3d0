#include "topologies/builders/system.h"

#include <utility>

#include <fmt/format.h>

#include "topologies/builders/cluster_draft.h"
#include "topologies/builders/config_reading.h"
#include "topologies/builders/network_reading.h"
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
  if (servers.servers() > servers.file_servers) throw InputError(message, hint);
  if (sections.counted) sections.counted->fail("count", message, hint);
  sections.pods.front().fail("count", message, hint);
}

}  // namespace

System read_system(ConfigDocument& document, const LinkPresets& presets, const SystemFinder& find,
                   const SystemOverrides& overrides, const SystemSize& size) {
  const UseChain chain(document, find, overrides);
  SystemInfo info = read_system_header(document.root());
  const SystemSections sections = find_sections(chain);
  PodChains pod_chains;
  const ServerContext context{presets, {kComputeNetwork, "storage", "management"}, false};
  ServerList servers = read_servers(chain, sections, context, find, 1, pod_chains, info);
  info.servers = static_cast<int>(servers.file_servers);
  info.gpus = gpu_count(servers.types[servers.pods.front().type]);
  resize_servers(servers, size);
  if (servers.servers() > 1 && !sections.fabric) refuse_no_fabric(sections, servers, info.name);
  const ClusterDraft draft = server_domains(std::move(servers));
  std::shared_ptr<const Fabric> fabric;
  if (sections.fabric) fabric = read_fabric(*sections.fabric, presets, draft, kComputeNetwork, {});
  document.finish();
  chain.finish();
  for (const auto& pod_chain : pod_chains) pod_chain->finish();
  // Of one domain the fabric was read to check it.
  if (draft.kind_of_domain.size() == 1) fabric = nullptr;
  Cluster cluster = build_cluster(draft, info.name, kComputeNetwork, std::move(fabric));
  return {std::move(info), std::move(cluster)};
}

SystemInfo read_system_summary(const ConfigDocument& document) {
  return read_system_header(document.root());
}

}  // namespace ringspan
