#include "app/report/nic_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "app/report/number_text.h"
#include "app/report/pair_legs.h"
#include "sim/base/quantity.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

std::string rate(Bandwidth bandwidth) {
  return rate_text(static_cast<double>(bandwidth.bits_per_second) / 8.0);
}

// The lines of one kind of domain, server by server.
class NicLines {
 public:
  NicLines(const Cluster& cluster, const Transport& transport, std::int32_t kind)
      : domain_(cluster.kinds()[static_cast<std::size_t>(kind)]),
        transport_(transport),
        kind_(kind),
        router_(domain_.topology),
        legs_(cluster, transport) {}

  void append(std::string& text) {
    std::vector<std::string> by_server(static_cast<std::size_t>(domain_.servers()));
    for (std::size_t g = 0; g < domain_.gpus.size(); ++g) {
      const std::int32_t server = domain_.topology.device(domain_.gpus[g]).server;
      by_server[static_cast<std::size_t>(server)] += gpu_lines(static_cast<std::int32_t>(g));
    }
    // Servers of a rack are mostly alike: the first of them stands for the others.
    std::vector<std::string> shown;
    for (const std::string& lines : by_server) {
      if (std::find(shown.begin(), shown.end(), lines) != shown.end()) continue;
      shown.push_back(lines);
      const auto alike = std::count(by_server.begin(), by_server.end(), lines);
      if (domain_.servers() > 1) text += fmt::format("  each of {} servers of a rack:\n", alike);
      text += lines;
    }
  }

 private:
  std::string gpu_lines(std::int32_t gpu) {
    std::string text;
    const auto nics = transport_.nics_of(kind_, gpu);
    for (const std::int32_t nic : nics) text += nic_line(gpu, nic, nics.size() > 1);
    return text;
  }

  std::string nic_line(std::int32_t gpu, std::int32_t nic, bool by_turns) {
    const NodeId gpu_id = domain_.gpus[static_cast<std::size_t>(gpu)];
    const NodeId nic_id = domain_.nics[static_cast<std::size_t>(nic)];
    const bool direct = transport_.gpu_direct(kind_, gpu, nic);
    const LegFinder::Leg& leg = legs_.nic_leg(kind_, gpu, {nic, -1, direct}, true);
    return fmt::format("  {} -> {}{}: rail {}, {}, {}, nominal {}, payload {}, latency {}\n",
                       domain_.topology.device(gpu_id).name, domain_.topology.device(nic_id).name,
                       by_turns ? " (channels take turns)" : "",
                       domain_.rails[static_cast<std::size_t>(nic)],
                       path_kind_name(router_.nic_route(gpu_id, nic_id, true, false).kind),
                       direct ? "GPUDirect RDMA" : "staged through host memory", rate(leg.nominal),
                       rate(leg.payload), format_duration(leg.latency));
  }

  const DomainKind& domain_;
  const Transport& transport_;
  std::int32_t kind_;
  GpuRouter router_;
  LegFinder legs_;
};

// "leaf0, leaf8, leaf16, ... (64 in all)"
std::string switch_list(const Fabric& fabric, const std::set<std::uint32_t>& attachments) {
  constexpr std::size_t kMostNamed = 8;
  std::string text;
  std::size_t named = 0;
  for (const std::uint32_t attachment : attachments) {
    if (named++ == (attachments.size() > kMostNamed ? 3 : kMostNamed)) break;
    text += (text.empty() ? "" : ", ") + fabric.attachment_name(attachment);
  }
  if (attachments.size() > kMostNamed) {
    text += fmt::format(", ... {} ({} in all)", fabric.attachment_name(*attachments.rbegin()),
                        attachments.size());
  }
  return text;
}

}  // namespace

void append_nics(const Cluster& cluster, const Transport& transport, std::string& text) {
  for (std::size_t kind = 0; kind < cluster.kinds().size(); ++kind) {
    text += "\nNICs";
    if (cluster.kinds().size() > 1) text += fmt::format(" of kind {} of domains", kind);
    text += fmt::format(" (GPUDirect RDMA reaches: {})\n",
                        gpu_direct_reach_name(cluster.kinds()[kind].gpu_direct));
    NicLines(cluster, transport, static_cast<std::int32_t>(kind)).append(text);
  }
}

void append_rails(const Fabric& fabric, std::string& text) {
  struct Rail {
    std::set<std::uint32_t> attachments;
    std::int64_t nics = 0;
  };
  std::map<std::int32_t, Rail> rails;
  for (std::uint32_t port = 0; port < fabric.ports().size(); ++port) {
    Rail& rail = rails[fabric.ports()[port].rail];
    rail.attachments.insert(fabric.attachment(port));
    ++rail.nics;
  }
  text += "\nRails (NIC i of a server is on rail i)\n";
  for (auto rail = rails.begin(); rail != rails.end();) {
    // Rails that follow one another on the same switches are one line.
    auto next = std::next(rail);
    while (next != rails.end() && next->second.attachments == rail->second.attachments &&
           next->second.nics == rail->second.nics) {
      ++next;
    }
    const std::int32_t last = std::prev(next)->first;
    text += last == rail->first ? fmt::format("  rail {}: ", last)
                                : fmt::format("  rails {} .. {}, each: ", rail->first, last);
    text += fmt::format("{} NICs on {}\n", rail->second.nics,
                        switch_list(fabric, rail->second.attachments));
    rail = next;
  }
}

}  // namespace ringspan
