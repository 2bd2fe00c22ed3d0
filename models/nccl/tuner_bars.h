#pragma once

// Why NCCL does not use an algorithm and protocol at all, whatever the size (NCCL
// src/graph/tuning.cc and src/enqueue.cc).

#include <string>

#include "models/nccl/tuner_model.h"

namespace ringspan {

struct TunerQuestion {
  CollectiveKind collective = CollectiveKind::AllReduce;
  bool switch_reduces = true;  // NVSwitches can add up this data type by this operation
  bool averages = false;       // the operation scales before or after it adds up
};

// Empty: it may be used. Else words that fit "nvls is barred: ...".
std::string tuner_bar(const CommunicatorGraphs& graphs, const TunerConstants& constants,
                      const TunerQuestion& question, const TunerWay& way);

}  // namespace ringspan
