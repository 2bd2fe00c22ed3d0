#include "models/nccl/tuner_bars.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/nccl/algorithm_graph.h"

namespace ringspan {

namespace {

constexpr int kMostNvlsGatherRanks = 32;  // NCCL_MAX_NVLS_ARITY
constexpr int kMostCollnetRanks = 8;      // NCCL_MAX_DIRECT_ARITY + 1

class Bars {
 public:
  Bars(const CommunicatorGraphs& graphs, const TunerConstants& constants,
       const TunerQuestion& question)
      : graphs_(graphs), constants_(constants), question_(question) {}

  std::string algorithm(TunerAlgorithm algorithm) const {
    if (!can(algorithm)) {
      return fmt::format("NCCL does not do {} by it", collective_name(question_.collective));
    }
    switch (algorithm) {
      case TunerAlgorithm::CollNetDirect:
      case TunerAlgorithm::CollNetChain:
        return collnet(algorithm);
      case TunerAlgorithm::Nvls:
      case TunerAlgorithm::NvlsTree:
        return nvls(algorithm);
      case TunerAlgorithm::Pat:
        return pat();
      default:
        return {};
    }
  }

  std::string protocol(const TunerWay& way) const {
    const bool any = way.algorithm == TunerAlgorithm::Tree || way.algorithm == TunerAlgorithm::Ring;
    if (!any && way.protocol != Protocol::Simple) return "it runs with simple only";
    return way.protocol == Protocol::LL128 ? ll128(way.algorithm) : "";
  }

 private:
  bool gathers() const {
    return question_.collective == CollectiveKind::AllGather ||
           question_.collective == CollectiveKind::ReduceScatter;
  }

  bool can(TunerAlgorithm algorithm) const {
    if (algorithm == TunerAlgorithm::Ring) return true;
    const bool all_reduce = question_.collective == CollectiveKind::AllReduce;
    switch (algorithm) {
      case TunerAlgorithm::Pat:
        return gathers();
      case TunerAlgorithm::Nvls:
        return all_reduce || (gathers() && constants_.nvls_gathers);
      case TunerAlgorithm::CollNetDirect:
        return all_reduce || (gathers() && constants_.collnet_gathers);
      default:
        return all_reduce;
    }
  }

  std::string collnet(TunerAlgorithm algorithm) const {
    if (graphs_.nodes == 1) return "it needs at least two nodes";
    if (!graphs_.network_reduction) return "it needs a fabric whose switches reduce";
    if (graphs_.most_ranks_per_node > kMostCollnetRanks) {
      return fmt::format("it serves {} ranks of a node at most", kMostCollnetRanks);
    }
    if (algorithm == TunerAlgorithm::CollNetDirect && !graphs_.nvswitch) {
      return "it needs NVSwitches";
    }
    if (algorithm == TunerAlgorithm::CollNetDirect && gathers()) return heads_for_all();
    return {};
  }

  std::string nvls(TunerAlgorithm algorithm) const {
    const bool tree = algorithm == TunerAlgorithm::NvlsTree;
    if (tree && graphs_.nodes == 1) return "it needs at least two nodes";
    if (!graphs_.nvls_support) {
      return "it needs NVSwitches that multicast and reduce, and three GPUs of a node";
    }
    if (graphs_.nvls.channels < 2) return "the search found fewer than two heads";
    if (question_.averages || !question_.switch_reduces) {
      if (question_.collective != CollectiveKind::AllGather) {
        return "the switches do not reduce this data type by this operation";
      }
    }
    if (tree) return {};
    if (graphs_.nodes > 1 && !graphs_.network_reduction) {
      return "between nodes it needs a fabric whose switches reduce";
    }
    if (!gathers()) return {};
    if (graphs_.most_ranks_per_node > kMostNvlsGatherRanks) {
      return fmt::format("it does {} for {} ranks of a node at most",
                         collective_name(question_.collective), kMostNvlsGatherRanks);
    }
    return graphs_.nodes > 1 ? heads_for_all() : "";
  }

  // Between nodes every rank must be a head, with a NIC of its own.
  std::string heads_for_all() const {
    if (graphs_.most_ranks_per_node <= graphs_.nvls.channels) return {};
    return "between nodes every GPU must be a head";
  }

  std::string pat() const {
    if (constants_.pat_efficiency == 0) return "it came with NCCL 2.23";
    if (graphs_.ranks != graphs_.nodes) return "it is used with one rank per node";
    if (graphs_.least_compute_capability < 60) return "it needs compute capability 6.0";
    if (question_.averages && question_.collective == CollectiveKind::ReduceScatter) {
      return "it does not scale what it adds up";
    }
    return {};
  }

  // A flag rides in the same 128 bytes as its data: these must arrive whole.
  std::string ll128(TunerAlgorithm algorithm) const {
    const AlgorithmGraph& graph = algorithm == TunerAlgorithm::Tree ? graphs_.tree : graphs_.ring;
    const int least = graphs_.least_compute_capability;
    if (graph.intra_type > PathType::Nvb) {
      return "ll128 needs stores of 128 bytes to arrive whole, which only NVLink does inside a "
             "server";
    }
    if (graph.inter_type > (least >= 90 ? PathType::Pxn : PathType::Pxb)) {
      return "ll128 needs NICs that are reached from their GPUs over PCIe switches, or on GPUs of "
             "compute capability 9.0 or later over C2C or another GPU";
    }
    if (least < 70) return "ll128 needs a GPU of compute capability 7.0 or later";
    static constexpr std::array kListed = {70, 80, 90, 100, 120};
    if (constants_.ll128_listed_capabilities &&
        std::find(kListed.begin(), kListed.end(), least) == kListed.end()) {
      return "before NCCL 2.27 ll128 was for compute capabilities 7.0, 8.0, 9.0, 10.0 and 12.0 "
             "only";
    }
    const bool may_mix = constants_.ll128_mixes_capabilities && least >= 90;
    if (!graphs_.one_compute_capability && !may_mix) {
      return "ll128 needs GPUs of one compute capability";
    }
    return {};
  }

  const CommunicatorGraphs& graphs_;
  const TunerConstants& constants_;
  const TunerQuestion& question_;
};

}  // namespace

std::string tuner_bar(const CommunicatorGraphs& graphs, const TunerConstants& constants,
                      const TunerQuestion& question, const TunerWay& way) {
  const Bars bars(graphs, constants, question);
  std::string bar = bars.algorithm(way.algorithm);
  return bar.empty() ? bars.protocol(way) : bar;
}

}  // namespace ringspan
