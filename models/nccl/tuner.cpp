#include "models/nccl/tuner.h"

#include <bit>

namespace ringspan {

TunerTable::TunerTable(const CommunicatorGraphs& graphs, const NcclVersion& version,
                       const TunerQuestion& question)
    : graphs_(graphs), constants_(tuner_constants(version)), collective_(question.collective) {
  for (const TunerAlgorithm algorithm : kTunerAlgorithms) {
    for (const Protocol protocol : kAllProtocols) {
      const TunerWay way{algorithm, protocol};
      TunerEntry& entry =
          entries_[static_cast<std::size_t>(algorithm)][static_cast<std::size_t>(protocol)];
      if (!tuner_knows(collective_) || graphs.ranks < 2) {
        entry.bar = "NCCL does not choose here";
        continue;
      }
      entry.bar = tuner_bar(graphs, constants_, question, way);
      const TunerModel model(graphs_, constants_, collective_);
      entry.latency_us = model.latency_us(way);
      entry.algbw_gbs = model.algbw_gbs(way);
      if (entry.bar.empty() && entry.algbw_gbs <= 0) entry.bar = "NCCL reckons no bandwidth for it";
    }
  }
}

// Trees fall short of the model in the middle of the sizes.
double TunerTable::bandwidth_at(const TunerWay& way, std::int64_t bytes) const {
  const double bandwidth = entry(way).algbw_gbs;
  if (collective_ != CollectiveKind::AllReduce || bytes < 64) return bandwidth;
  const bool tree = way.algorithm == TunerAlgorithm::Tree;
  const bool nvls_tree = way.algorithm == TunerAlgorithm::NvlsTree &&
                         constants_.corrects_nvls_tree && graphs_.least_compute_capability >= 100 &&
                         graphs_.cpu_vendor != CpuVendor::Arm;
  if (!tree && !nvls_tree) return bandwidth;
  const auto step =
      static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(bytes) / 64)) - 1;
  // The last entry came with the trees of NVLS, and is for these only.
  if (step >= kTreeCorrections - (tree ? 1 : 0)) return bandwidth;
  return bandwidth * constants_.tree_correction[static_cast<std::size_t>(way.protocol)][step];
}

double TunerTable::time_us(const TunerWay& way, std::int64_t bytes) const {
  double latency = entry(way).latency_us;
  const bool ring_simple =
      way.algorithm == TunerAlgorithm::Ring && way.protocol == Protocol::Simple;
  if (ring_simple && graphs_.nodes > 1 && collective_ == CollectiveKind::AllReduce &&
      bytes / (static_cast<std::int64_t>(graphs_.channels) * graphs_.ranks) >= 64) {
    latency *= graphs_.least_compute_capability < 80 ? 1.9 : 1.4;  // the ring's plateau
  }
  // 1 GB/s are 1,000 bytes per microsecond.
  return latency + static_cast<double>(bytes) / (1000 * bandwidth_at(way, bytes));
}

}  // namespace ringspan
