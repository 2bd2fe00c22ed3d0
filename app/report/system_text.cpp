#include "app/report/system_text.h"

#include <fmt/format.h>

#include "app/report/domain_text.h"
#include "app/report/fabric_text.h"

namespace ringspan {

namespace {

// "server0 .. server15", from the domains' servers that follow one another.
std::string servers_of_kind(const Cluster& cluster, std::int32_t kind) {
  std::string text;
  int begin = -1;
  for (int domain = 0; domain <= cluster.domain_count(); ++domain) {
    const bool member = domain < cluster.domain_count() && cluster.kind_of(domain) == kind;
    if (member && begin < 0) begin = cluster.first_server(domain);
    if (member || begin < 0) continue;
    const int last = cluster.first_server(domain) - 1;
    if (!text.empty()) text += ", ";
    text += fmt::format("server{}", begin);
    if (last > begin) text += fmt::format(" .. server{}", last);
    begin = -1;
  }
  return text;
}

std::string counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void append_summary(const Cluster& cluster, std::string& text) {
  std::int64_t nics = 0;
  for (int domain = 0; domain < cluster.domain_count(); ++domain) {
    nics += static_cast<std::int64_t>(cluster.domain(domain).nics.size());
  }
  text += "\nCluster: ";
  if (cluster.server_count() != cluster.domain_count()) {
    text += counted(cluster.domain_count(), "NVLink domain") + ", ";
  }
  text += fmt::format("{}, {} GPUs, {} on the compute network\n",
                      counted(cluster.server_count(), "server"), cluster.gpu_count(),
                      counted(nics, "NIC"));
}

// What a domain of a cluster is, before its devices.
void append_kind_heading(const Cluster& cluster, std::int32_t kind, std::string& text) {
  const DomainKind& domain = cluster.kinds()[static_cast<std::size_t>(kind)];
  const std::string what = domain.servers() == 1
                               ? "One server"
                               : fmt::format("One rack of {} servers", domain.servers());
  text += fmt::format("\n{}, one of {}\n", what, servers_of_kind(cluster, kind));
}

}  // namespace

std::string system_text(const System& system) {
  const Cluster& cluster = system.cluster;
  std::string text = fmt::format("{}: {}\n", system.info.name, system.info.description);
  const bool several = cluster.server_count() > 1 || cluster.fabric() != nullptr;
  if (several) append_summary(cluster, text);
  for (std::size_t kind = 0; kind < cluster.kinds().size(); ++kind) {
    if (several) append_kind_heading(cluster, static_cast<std::int32_t>(kind), text);
    append_domain(cluster.kinds()[kind], text);
  }
  if (cluster.fabric() != nullptr) append_fabric(cluster, {system.transport.pxn}, text);
  for (const SystemNetwork& network : system.networks) {
    append_network(network.name, *network.fabric, text);
  }
  if (!system.faults.empty()) text += "\nFaults\n";
  for (const SystemFault& fault : system.faults) text += "  " + fault.text + '\n';
  if (!system.info.notes.empty()) text += "\nDerived\n";
  for (const std::string& note : system.info.notes) text += "  " + note + '\n';
  if (!system.info.sources.empty()) text += "\nSources\n";
  for (const std::string& source : system.info.sources) text += "  " + source + '\n';
  return text;
}

}  // namespace ringspan
