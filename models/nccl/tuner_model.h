#pragma once

// Latency and bandwidth of an algorithm and protocol as NCCL's tuner reckons them from the graphs
// of its search (NCCL src/graph/tuning.cc, ncclTopoTuneModel). Nothing is barred here.

#include "models/collectives/collective.h"
#include "models/nccl/algorithm_graph.h"
#include "models/nccl/tuner_constants.h"

namespace ringspan {

struct TunerWay {
  TunerAlgorithm algorithm = TunerAlgorithm::Ring;
  Protocol protocol = Protocol::Simple;
  bool operator==(const TunerWay&) const = default;
};

// What NCCL does by its algorithms; all else is grouped send/receive.
bool tuner_knows(CollectiveKind kind);

class TunerModel {
 public:
  // Keeps references. Requires tuner_knows(kind) and at least two ranks.
  TunerModel(const CommunicatorGraphs& graphs, const TunerConstants& constants,
             CollectiveKind kind);

  double latency_us(const TunerWay& way) const;
  // GB/s of the whole vector (nccl-tests' size).
  double algbw_gbs(const TunerWay& way) const;

 private:
  const AlgorithmGraph& graph(TunerAlgorithm algorithm) const;
  bool gathers() const;
  double channel_gbs(TunerAlgorithm algorithm) const;
  double nvls_gbs(TunerAlgorithm algorithm) const;
  double busbw_gbs(const TunerWay& way) const;
  double ring_gbs(Protocol protocol, double all) const;
  double tree_gbs(Protocol protocol, double all) const;
  double direct_gbs(double all) const;
  double busbw_per_algbw(TunerAlgorithm algorithm) const;
  double network_step_us(const TunerWay& way) const;
  double ring_latency_us(Protocol protocol) const;
  double chain_latency_us(Protocol protocol) const;

  const CommunicatorGraphs& graphs_;
  const TunerConstants& constants_;
  CollectiveKind kind_;
  double ranks_, nodes_, ranks_per_node_;
  int tree_levels_;  // between nodes
  int inner_steps_;  // a node's ranks less one
  double ring_steps_;
  std::size_t generation_, column_;
};

}  // namespace ringspan
