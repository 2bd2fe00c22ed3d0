#include "models/nccl/p2p_channels.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/nccl/communicator_nodes.h"
#include "models/nccl/plan_rates.h"
#include "sim/base/check.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

namespace {

constexpr int kPcieChannels = 2;

template <typename Accept>
int nvlinks(const Topology& topology, NodeId from, Accept accept) {
  int links = 0;
  for (const LinkId id : topology.out_links(from)) {
    const Link& link = topology.link(id);
    if (link.link_class == LinkClass::NvLink && accept(link.to)) links += link.count;
  }
  return links;
}

int links_to_switches(const Topology& topology, NodeId gpu) {
  return nvlinks(topology, gpu,
                 [&](NodeId to) { return topology.device(to).kind == DeviceKind::NvSwitch; });
}

int of_pair(const Topology& topology, const GpuRouter& router, NodeId from, NodeId to) {
  switch (router.route(from, to).kind) {
    case PathKind::NvLink:
      return 2 * std::max(1, nvlinks(topology, from, [to](NodeId end) { return end == to; }));
    case PathKind::NvSwitch:
      return 2 * std::max(1, std::min(links_to_switches(topology, from),
                                      links_to_switches(topology, to)));
    default:
      return kPcieChannels;
  }
}

// The least over the pairs of one node. Where every GPU has a switch its neighbours tell.
int inside(const Topology& topology, std::span<const NodeId> gpus) {
  const GpuRouter router(topology);
  const bool switched = std::all_of(
      gpus.begin(), gpus.end(), [&](NodeId gpu) { return links_to_switches(topology, gpu) > 0; });
  int least = std::numeric_limits<int>::max();
  for (std::size_t a = 0; a < gpus.size(); ++a) {
    for (std::size_t b = a + 1; b < (switched ? std::min(a + 2, gpus.size()) : gpus.size()); ++b) {
      least = std::min(least, of_pair(topology, router, gpus[a], gpus[b]));
    }
  }
  return least;
}

// NCCL asks GPUs that hang on a CPU directly (over C2C, or without a PCIe switch).
int nics_that_fill(const Topology& topology, const Transport& transport, std::int32_t kind,
                   std::int32_t gpu, NodeId device) {
  double wanted = 0;
  for (const LinkId id : topology.out_links(device)) {
    const Link& link = topology.link(id);
    if (topology.device(link.to).kind == DeviceKind::Cpu) wanted = plan_rate(topology, link);
  }
  double carried = 0;
  int nics = 0;
  for (const std::int32_t nic : transport.nearest(kind, gpu)) {
    if (carried >= wanted) break;
    carried += transport.planned_rate(kind, gpu, nic);
    ++nics;
  }
  return nics;
}

}  // namespace

int p2p_channels(int channels) {
  RINGSPAN_CHECK(channels >= 1, "a communicator has a channel");
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(channels)));
}

int p2p_channels_per_peer(const Cluster& cluster, std::span<const GpuPlace> ranks,
                          const Transport* transport, int p2p_channels) {
  const CommunicatorNodes all = communicator_nodes(cluster, ranks);
  // Two channels for a peer, unless each channel then has more than four messages to do.
  constexpr int kNetworkChannels = 2;
  const auto most = static_cast<std::int64_t>(p2p_channels) * 4;
  const bool crowded = kNetworkChannels * static_cast<std::int64_t>(ranks.size()) > most;
  int least = std::numeric_limits<int>::max();
  for (const NodeShape& shape : all.shapes) {
    const DomainKind& domain = cluster.kinds()[static_cast<std::size_t>(shape.kind)];
    std::vector<NodeId> gpus;
    for (const std::int32_t gpu : shape.gpus) {
      gpus.push_back(domain.gpus[static_cast<std::size_t>(gpu)]);
    }
    least = std::min(least, inside(domain.topology, gpus));
    if (all.nodes.size() == 1) continue;
    RINGSPAN_CHECK(transport != nullptr, "several domains need a transport");
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      const int nics =
          nics_that_fill(domain.topology, *transport, shape.kind, shape.gpus[i], gpus[i]);
      least = std::min(least, std::max(nics, crowded ? 1 : kNetworkChannels));
    }
  }
  if (least >= p2p_channels) return p2p_channels;
  return std::min(p2p_channels, static_cast<int>(std::bit_ceil(static_cast<unsigned>(least))));
}

}  // namespace ringspan
