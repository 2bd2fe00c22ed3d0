#include "models/nccl/communicator_graphs.h"

#include <algorithm>
#include <limits>

#include "models/nccl/channel_rules.h"
#include "models/nccl/communicator_nodes.h"
#include "models/nccl/plan_graph.h"
#include "models/nccl/plan_rates.h"

namespace ringspan {

namespace {

constexpr int kMostHeads = 32;

class GraphMaker {
 public:
  GraphMaker(const Cluster& cluster, std::span<const GpuPlace> ranks, const ChannelSet& channels,
             const Transport* transport, const NcclVersion& version)
      : cluster_(cluster),
        channels_(channels),
        transport_(transport),
        version_(version),
        all_(communicator_nodes(cluster, ranks)) {
    graphs_.ranks = static_cast<int>(ranks.size());
    graphs_.nodes = static_cast<int>(all_.nodes.size());
    for (const CommunicatorNode& node : all_.nodes) {
      graphs_.most_ranks_per_node =
          std::max(graphs_.most_ranks_per_node, static_cast<int>(node.ranks.size()));
    }
  }

  CommunicatorGraphs make() {
    read_gpus();
    read_cpus();
    graphs_.channels = static_cast<int>(channels_.orders.size());
    graphs_.network_reduction = graphs_.nodes > 1 && cluster_.fabric() != nullptr &&
                                cluster_.fabric()->reduces_in_network();
    graphs_.ring = ring();
    graphs_.tree = tree();
    if (graphs_.nvls_support) graphs_.nvls = nvls();
    return graphs_;
  }

 private:
  const DomainKind& kind(const NodeShape& shape) const {
    return cluster_.kinds()[static_cast<std::size_t>(shape.kind)];
  }

  void read_gpus() {
    int most = 0;
    graphs_.least_compute_capability = std::numeric_limits<int>::max();
    graphs_.nvswitch = graphs_.nvls_support = true;
    for (const NodeShape& shape : all_.shapes) {
      const Topology& topology = kind(shape).topology;
      graphs_.nvls_support = graphs_.nvls_support && topology.has_multicast();
      for (const std::int32_t gpu : shape.gpus) {
        const NodeId device = kind(shape).gpus[static_cast<std::size_t>(gpu)];
        const int capability = topology.gpu_model(device).compute_capability;
        graphs_.least_compute_capability = std::min(graphs_.least_compute_capability, capability);
        most = std::max(most, capability);
        read_nvlinks(topology, device);
      }
    }
    graphs_.one_compute_capability = most == graphs_.least_compute_capability;
    // NCCL makes no multicast group of one or two GPUs of a node, nor before Hopper.
    graphs_.nvls_support = graphs_.nvls_support && graphs_.most_ranks_per_node > 2 &&
                           graphs_.least_compute_capability >= 90;
  }

  void read_nvlinks(const Topology& topology, NodeId gpu) {
    double worth = 0;
    bool to_switch = false;
    for (const LinkId id : topology.out_links(gpu)) {
      const Link& link = topology.link(id);
      if (link.link_class != LinkClass::NvLink) continue;
      worth += plan_rate(topology, link);
      to_switch = to_switch || topology.device(link.to).kind == DeviceKind::NvSwitch;
    }
    nvlinks_gbs_ = std::min(nvlinks_gbs_, worth);
    graphs_.nvswitch = graphs_.nvswitch && to_switch;
  }

  void read_cpus() {
    bool first = true;
    for (const NodeShape& shape : all_.shapes) {
      const Topology& topology = kind(shape).topology;
      for (std::uint32_t d = 0; d < topology.devices().size(); ++d) {
        const Device& device = topology.device(NodeId{d});
        if (device.kind != DeviceKind::Cpu) continue;
        const CpuVendor vendor = vendor_of(device.vendor);
        if (!first && vendor != graphs_.cpu_vendor) graphs_.cpu_vendor = CpuVendor::Mixed;
        if (first) graphs_.cpu_vendor = vendor;
        first = false;
      }
    }
  }

  static CpuVendor vendor_of(std::string_view name) {
    if (name == "intel") return CpuVendor::Intel;
    if (name == "amd") return CpuVendor::Amd;
    return name == "arm" ? CpuVendor::Arm : CpuVendor::Other;
  }

  std::span<const double> classes() const {
    const int capability = graphs_.least_compute_capability;
    return graphs_.nodes == 1 ? speed_classes(capability, version_)
                              : network_speed_classes(capability, version_);
  }

  // The fastest class up to `rate`; where all are faster, `rate` itself.
  double class_up_to(double rate) const {
    for (const double one : classes()) {
      if (one <= rate * kPlanSlack) return one;
    }
    return rate;
  }

  AlgorithmGraph ring() const {
    AlgorithmGraph graph;
    graph.channels = channels_.search_channels;
    graph.intra_gbs = graph.inter_gbs = to_gbytes_per_second(channels_.class_rate);
    graph.intra_type = graphs_.most_ranks_per_node == 1 ? PathType::Loc : channels_.intra_type;
    graph.inter_type = channels_.inter_type;
    graph.cross_nic = channels_.cross_nic ? 2 : 0;
    graph.same_channels = std::adjacent_find(channels_.orders.begin(), channels_.orders.end(),
                                             std::not_equal_to<>()) == channels_.orders.end();
    return graph;
  }

  AlgorithmGraph tree() const {
    AlgorithmGraph graph = graphs_.ring;
    const bool alone = graphs_.most_ranks_per_node == 1;
    graph.pattern = channels_.tree_balanced && !alone ? TreePattern::Balanced : TreePattern::Tree;
    if (graphs_.nodes == 1) {
      const bool both_ways = graphs_.ranks == 2 && graph.channels >= 2;
      graph.intra_gbs = class_up_to((both_ways ? 2 : 1) * graph.intra_gbs);
      graph.inter_gbs = graph.intra_gbs;
      return graph;
    }
    const double most = 2 * graph.inter_gbs;
    if (alone) {
      graph.intra_gbs = class_up_to(most);
    } else if (nvlinks_gbs_ > 0) {
      const double hops = graphs_.most_ranks_per_node;
      const double fits = nvlinks_gbs_ * hops / (hops - 1) / graph.channels;
      graph.intra_gbs = std::max(graph.intra_gbs, class_up_to(std::min(most, fits)));
    }
    return graph;
  }

  // GB/s of the widest NIC that the nodes' GPUs use, the least of all nodes; and how many.
  std::pair<double, int> nics() const {
    double least = std::numeric_limits<double>::infinity();
    int heads = kMostHeads;
    for (const NodeShape& shape : all_.shapes) {
      double widest = 0;
      std::vector<char> used(static_cast<std::size_t>(transport_->nic_count(shape.kind)), 0);
      for (const std::int32_t gpu : shape.gpus) {
        for (const std::int32_t nic : transport_->nics_of(shape.kind, gpu)) {
          used[static_cast<std::size_t>(nic)] = 1;
          widest =
              std::max(widest, std::min(to_gbytes_per_second(transport_->nic_rate(shape.kind, nic)),
                                        transport_->planned_rate(shape.kind, gpu, nic)));
        }
      }
      least = std::min(least, widest);
      heads = std::min(heads, static_cast<int>(std::count(used.begin(), used.end(), 1)));
    }
    return {least, heads};
  }

  AlgorithmGraph nvls() const {
    AlgorithmGraph graph;
    const int gpus = std::min(kMostHeads, graphs_.most_ranks_per_node);
    if (graphs_.nodes == 1) {
      graph.channels = gpus;
      graph.intra_gbs = class_up_to(nvlinks_gbs_ / (graph.channels + 1));
      graph.inter_gbs = class_up_to(2 * graph.intra_gbs);
      return graph;
    }
    const auto [nic_gbs, heads] = nics();
    graph.channels = std::min(gpus, heads);
    graph.intra_gbs = class_up_to(std::min(nic_gbs, nvlinks_gbs_ / (graph.channels + 1)));
    graph.inter_gbs = class_up_to(std::min(nic_gbs, 2 * graph.intra_gbs));
    graph.inter_type = channels_.inter_type;
    return graph;
  }

  const Cluster& cluster_;
  const ChannelSet& channels_;
  const Transport* transport_;
  NcclVersion version_;
  CommunicatorNodes all_;
  double nvlinks_gbs_ = std::numeric_limits<double>::infinity();  // of the GPU with the least
  CommunicatorGraphs graphs_;
};

}  // namespace

CommunicatorGraphs communicator_graphs(const Cluster& cluster, std::span<const GpuPlace> ranks,
                                       const ChannelSet& channels, const Transport* transport,
                                       const NcclVersion& version) {
  return GraphMaker(cluster, ranks, channels, transport, version).make();
}

}  // namespace ringspan
