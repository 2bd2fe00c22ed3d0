#pragma once

// GPU pairs of different domains that reach each other in the same way. They are counted, not
// walked through: 131,072 GPUs have 1.7e10 pairs. How many pairs a class has is exact; a fabric's
// latency, switches and rates are those of a sample of them (of all of them in small clusters).

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "app/report/pair_legs.h"
#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

template <typename Value>
struct Range {
  Value least{}, most{};
  bool single() const { return least == most; }
  void take(Value value, bool first) {
    least = first ? value : std::min(least, value);
    most = first ? value : std::max(most, value);
  }
};

struct ClusterPairClass {
  PairLegs legs;
  // 0: on one attachment (leaf); l: in one group of Fabric::levels()[l - 1]; the next: in no common
  // one.
  std::size_t level = 0;
  std::int64_t pairs = 0;  // each direction counted
  GpuPlace from, to;       // an example
  // Of one transfer alone, from GPU to GPU, in the sample.
  Range<std::int32_t> switches;
  Range<Duration> latency;
  Range<Bandwidth> nominal, payload;
  std::int64_t routed = 0;   // pairs of the sample
  bool all_routed = false;   // the sample is every pair of domains
  std::int64_t cut_off = 0;  // pairs of the sample that nothing joins
  std::string reason;        // of the first of them
};

// By level, then same rail first, then most pairs. Requires a fabric; none for one domain.
std::vector<ClusterPairClass> cluster_pair_classes(const Cluster& cluster,
                                                   const Transport& transport);

}  // namespace ringspan
