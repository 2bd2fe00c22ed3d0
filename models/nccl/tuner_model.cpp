#include "models/nccl/tuner_model.h"

#include <algorithm>
#include <bit>

#include "sim/base/check.h"

namespace ringspan {

namespace {

std::size_t index(TunerAlgorithm algorithm) { return static_cast<std::size_t>(algorithm); }
std::size_t index(Protocol protocol) { return static_cast<std::size_t>(protocol); }

std::size_t generation_of(int compute_capability) {
  if (compute_capability >= 100) return 3;
  if (compute_capability >= 90) return 2;
  return compute_capability >= 80 ? 1 : 0;
}

double steps_of(CollectiveKind kind, double ranks) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return 2 * (ranks - 1);
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
      return ranks - 1;
    default:
      return ranks;
  }
}

bool is_nvls(TunerAlgorithm algorithm) {
  return algorithm == TunerAlgorithm::Nvls || algorithm == TunerAlgorithm::NvlsTree;
}

}  // namespace

bool tuner_knows(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::AllReduce:
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
      return true;
    default:
      return false;
  }
}

TunerModel::TunerModel(const CommunicatorGraphs& graphs, const TunerConstants& constants,
                       CollectiveKind kind)
    : graphs_(graphs),
      constants_(constants),
      kind_(kind),
      ranks_(graphs.ranks),
      nodes_(graphs.nodes),
      ranks_per_node_(ranks_ / nodes_),
      tree_levels_(std::bit_width(static_cast<unsigned>(graphs.nodes)) - 1),
      inner_steps_(graphs.ranks / graphs.nodes - 1),
      ring_steps_(steps_of(kind, ranks_)),
      generation_(generation_of(graphs.least_compute_capability)),
      column_(static_cast<std::size_t>(std::min(graphs.nodes, 3) - 1)) {
  RINGSPAN_CHECK(tuner_knows(kind) && graphs.ranks > 1, "a collective between ranks");
}

bool TunerModel::gathers() const {
  return kind_ == CollectiveKind::AllGather || kind_ == CollectiveKind::ReduceScatter;
}

// NCCL searches graphs of their own for reductions in the network. Here their heads are those of
// NVLS, and their chains those of trees.
const AlgorithmGraph& TunerModel::graph(TunerAlgorithm algorithm) const {
  switch (algorithm) {
    case TunerAlgorithm::Ring:
      return graphs_.ring;
    case TunerAlgorithm::Nvls:
    case TunerAlgorithm::NvlsTree:
      return graphs_.nvls;
    case TunerAlgorithm::CollNetDirect:
      return graphs_.nvls.channels > 0 ? graphs_.nvls : graphs_.tree;
    default:
      return graphs_.tree;
  }
}

// ---- bandwidth ---------------------------------------------------------------------------------

double TunerModel::algbw_gbs(const TunerWay& way) const {
  return busbw_gbs(way) / busbw_per_algbw(way.algorithm);
}

// Two nodes are reckoned with the rate inside them.
double TunerModel::channel_gbs(TunerAlgorithm algorithm) const {
  if (is_nvls(algorithm)) return nvls_gbs(algorithm);
  const bool collnet =
      algorithm == TunerAlgorithm::CollNetDirect || algorithm == TunerAlgorithm::CollNetChain;
  const AlgorithmGraph& found = graph(algorithm);
  return graphs_.nodes <= 2 || collnet ? found.intra_gbs : found.inter_gbs;
}

double TunerModel::nvls_gbs(TunerAlgorithm algorithm) const {
  const AlgorithmGraph& heads = graphs_.nvls;
  const bool tree = algorithm == TunerAlgorithm::NvlsTree;
  const double peers = (ranks_per_node_ - 1) / ranks_per_node_;
  if (constants_.nvls_by_efficiency) {
    if (heads.channels < 2) return 0;
    const double inside = heads.intra_gbs * constants_.nvls_efficiency[generation_] *
                          (heads.channels - 1) / heads.channels *
                          (kind_ == CollectiveKind::AllReduce ? 2 : peers);
    const double between = heads.inter_gbs * (graphs_.nodes <= 2 && tree ? 2 : 1);
    const double least = std::min(inside, between);
    return tree ? std::min(least, constants_.nvls_tree[generation_][column_]) : least;
  }
  if (tree) {
    return std::min(heads.intra_gbs, graphs_.nodes <= 2 ? heads.inter_gbs : heads.inter_gbs / 2);
  }
  if (gathers() && constants_.nvls_gathers_from_peers) {
    return std::min(heads.intra_gbs * peers, heads.inter_gbs * 0.9);
  }
  return std::min(heads.intra_gbs, heads.inter_gbs);
}

double TunerModel::busbw_gbs(const TunerWay& way) const {
  const double all = graph(way.algorithm).channels * channel_gbs(way.algorithm);
  const bool simple = way.protocol == Protocol::Simple;
  switch (way.algorithm) {
    case TunerAlgorithm::Ring:
      return ring_gbs(way.protocol, all);
    case TunerAlgorithm::Tree:
      return tree_gbs(way.protocol, all);
    case TunerAlgorithm::CollNetDirect:
      return simple ? direct_gbs(all) : 0;
    case TunerAlgorithm::Pat:
      return simple ? all * constants_.pat_efficiency : 0;
    default:
      return simple ? all : 0;
  }
}

double TunerModel::ring_gbs(Protocol protocol, double all) const {
  if (protocol == Protocol::LL) {
    // Over several nodes the CPUs decide, as LL writes to host memory there.
    const bool amd = graphs_.cpu_vendor == CpuVendor::Amd || graphs_.cpu_vendor == CpuVendor::Mixed;
    const std::size_t row = graphs_.nodes == 1 ? generation_ : (amd ? 1 : 0);
    double share = constants_.ring_ll;
    if (constants_.ring_ll_thirds) {
      const bool slow = graphs_.nodes > 1 || kind_ == CollectiveKind::AllReduce ||
                        kind_ == CollectiveKind::Reduce;
      share = slow ? 1.0 / 4 : 1.0 / 3;
    }
    return std::min(constants_.ll_most[row][column_], all * share);
  }
  if (protocol == Protocol::LL128) {
    const double share = ranks_per_node_ < 2 ? constants_.ring_ll128_alone : 0.92;
    return std::min(all * share,
                    graphs_.ring.channels * constants_.ring_ll128[generation_][column_]);
  }
  return all;
}

double TunerModel::tree_gbs(Protocol protocol, double all) const {
  const double channels = graphs_.tree.channels;
  const bool amd = graphs_.cpu_vendor == CpuVendor::Amd || graphs_.cpu_vendor == CpuVendor::Mixed;
  const std::size_t row = graphs_.nodes == 1 ? generation_ : (amd ? 1 : 0);
  double rate = std::min(all * 0.92, channels * constants_.tree[generation_][column_]);
  if (protocol == Protocol::LL) {
    rate = std::min(rate / 3.8, constants_.ll_most[row][column_]);
  } else if (protocol == Protocol::LL128) {
    const double share = graphs_.nodes == 1 ? 7.0 / 9 : 120.0 / 128;
    rate = std::min(rate * share, channels * constants_.tree_ll128[generation_][column_]);
  }
  // All of a node's traffic to others goes over one GPU.
  return graphs_.tree.pattern == TreePattern::Tree ? rate * 0.85 : rate;
}

double TunerModel::direct_gbs(double all) const {
  const AlgorithmGraph& heads = graph(TunerAlgorithm::CollNetDirect);
  if (gathers()) return ranks_per_node_ * std::min(heads.intra_gbs, heads.inter_gbs * 0.9);
  double gpus_per_head = ranks_per_node_ / heads.channels;
  gpus_per_head -= (gpus_per_head - 1) / 2;
  const double rate = all / gpus_per_head;
  return graphs_.least_compute_capability >= 90 ? rate * 0.85 : rate;
}

// NCCL's own ratios, not nccl-tests'.
double TunerModel::busbw_per_algbw(TunerAlgorithm algorithm) const {
  if (algorithm == TunerAlgorithm::Ring) return ring_steps_ / ranks_;
  const bool unscaled = constants_.gathers_unscaled || algorithm == TunerAlgorithm::CollNetDirect;
  if (gathers() && unscaled) return 1;
  if (!is_nvls(algorithm)) return 2;
  return constants_.nvls_by_efficiency ? ring_steps_ / ranks_ : 6.0 / 5;
}

// ---- latency -----------------------------------------------------------------------------------

// NICs' own latencies, which NCCL adds, are 0 for its InfiniBand and socket transports.
double TunerModel::network_step_us(const TunerWay& way) const {
  const bool exposed = graphs_.ranks == graphs_.nodes && constants_.exposed_network_steps;
  return constants_
      .network[index(exposed ? TunerAlgorithm::Tree : way.algorithm)][index(way.protocol)];
}

double TunerModel::latency_us(const TunerWay& way) const {
  const std::size_t a = index(way.algorithm), p = index(way.protocol);
  const bool nvlink = graph(way.algorithm).intra_type == PathType::Nvl;
  const double inner = (nvlink ? constants_.nvlink : constants_.pcie)[a][p];
  const double outer = network_step_us(way);
  const double base = constants_.base[a][p];
  switch (way.algorithm) {
    case TunerAlgorithm::Ring:
      return base + (kind_ == CollectiveKind::AllReduce || gathers()
                         ? ring_latency_us(way.protocol)
                         : chain_latency_us(way.protocol));
    case TunerAlgorithm::Tree:
      return base + 2 * (inner_steps_ * inner + tree_levels_ * outer);
    case TunerAlgorithm::CollNetDirect:
      // 0.4 us for every peer that is served after the other.
      return base + 2 * (std::min(1, inner_steps_) * inner + inner_steps_ * 0.4) + outer;
    case TunerAlgorithm::CollNetChain:
      return base + 2 * inner_steps_ * inner + outer;
    case TunerAlgorithm::Nvls:
      return base + inner + (graphs_.nodes > 1 ? outer : 0);
    case TunerAlgorithm::NvlsTree:
      return base + inner + 2 * tree_levels_ * outer;
    case TunerAlgorithm::Pat:
      return base + tree_levels_ * outer / 3.5 + 2.8 * ranks_;
  }
  return base;
}

double TunerModel::ring_latency_us(Protocol protocol) const {
  const bool nvlink = graphs_.ring.intra_type == PathType::Nvl;
  constexpr std::size_t kRing = static_cast<std::size_t>(TunerAlgorithm::Ring);
  double inner = (nvlink ? constants_.nvlink : constants_.pcie)[kRing][index(protocol)];
  double outer_steps = 0;
  if (graphs_.nodes > 1) {
    // Every step posts to the network; on AMD CPUs that takes longer.
    const double post = graphs_.cpu_vendor == CpuVendor::Amd ? 2.0 : 1.0;
    inner = std::max(inner, protocol == Protocol::Simple ? 3 * post : post);
    outer_steps = gathers() ? nodes_ - 1 : 2 * (nodes_ - 1) + constants_.extra_ring_steps;
  }
  const double outer = network_step_us({TunerAlgorithm::Ring, protocol});
  return (ring_steps_ - outer_steps) * inner + outer_steps * outer;
}

// Broadcast and Reduce: the pipeline hides all but one step where channels share one order.
double TunerModel::chain_latency_us(Protocol protocol) const {
  const bool nvlink = graphs_.ring.intra_type == PathType::Nvl;
  const ByAlgorithmAndProtocol& steps = graphs_.nodes > 1 ? constants_.network
                                        : nvlink          ? constants_.nvlink
                                                          : constants_.pcie;
  if (graphs_.ring.same_channels) return steps[index(TunerAlgorithm::Ring)][index(protocol)];
  const bool simple = protocol == Protocol::Simple;
  const TunerAlgorithm row = simple ? TunerAlgorithm::Tree : TunerAlgorithm::Ring;
  return ring_steps_ * steps[index(row)][index(protocol)];
}

}  // namespace ringspan
