#pragma once

// NCCL's choice of an algorithm and a protocol for a size: latency and bandwidth of each from the
// graphs that its search found, a time at the size, the least time wins. It predicts what NCCL
// picks; what that takes is the simulator's business. Source: NCCL src/graph/tuning.cc,
// src/enqueue.cc. Code flow:
//   tuner_constants   NCCL's numbers and rules by version
//   tuner_model       latency and bandwidth, as NCCL prints them (NCCL_DEBUG_SUBSYS=TUNING)
//   tuner_bars        why a way may not be used at all
//   TunerTable        both for all ways, and times with NCCL's corrections at a size

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "models/nccl/tuner_bars.h"

namespace ringspan {

// Of one algorithm and protocol, whatever the size.
struct TunerEntry {
  double latency_us = 0;
  double algbw_gbs = 0;  // bytes of the whole vector (nccl-tests' size) per second; 0: cannot
  std::string bar;       // why it is not used; empty: it may be
};

class TunerTable {
 public:
  // Broadcast, Reduce, AllGather, ReduceScatter and AllReduce; all else is grouped send/receive,
  // for which the table is empty.
  TunerTable(const CommunicatorGraphs& graphs, const NcclVersion& version,
             const TunerQuestion& question);

  const TunerEntry& entry(const TunerWay& way) const {
    return entries_[static_cast<std::size_t>(way.algorithm)]
                   [static_cast<std::size_t>(way.protocol)];
  }
  // NCCL's estimate for a call of so many bytes (nccl-tests' size) alone in its group, in
  // microseconds. Requires an entry without bar.
  double time_us(const TunerWay& way, std::int64_t bytes) const;
  // The way with the least time; on ties the first algorithm, then the first protocol. Absent where
  // nothing may be used, or is among those that `allowed` lets pass.
  template <typename Allowed>
  std::optional<TunerWay> pick(std::int64_t bytes, Allowed allowed) const {
    std::optional<TunerWay> best;
    for (const TunerAlgorithm algorithm : kTunerAlgorithms) {
      for (const Protocol protocol : kAllProtocols) {
        const TunerWay way{algorithm, protocol};
        if (!entry(way).bar.empty() || !allowed(way)) continue;
        if (!best || time_us(way, bytes) < time_us(*best, bytes)) best = way;
      }
    }
    return best;
  }
  std::optional<TunerWay> pick(std::int64_t bytes) const {
    return pick(bytes, [](const TunerWay&) { return true; });
  }

 private:
  double bandwidth_at(const TunerWay& way, std::int64_t bytes) const;

  CommunicatorGraphs graphs_;
  TunerConstants constants_;
  CollectiveKind collective_;
  std::array<std::array<TunerEntry, kAllProtocols.size()>, kTunerAlgorithms.size()> entries_;
};

}  // namespace ringspan
