#pragma once

// What a fitted profile says of its fit: where it comes from, which rows it has seen, and what it
// left over.

#include <cstdint>
#include <string>
#include <vector>

#include "models/collectives/collective.h"
#include "models/cost/fabric_class.h"
#include "sim/config/config_node.h"

namespace ringspan {

// Rows of one class and collective that were fitted: everything between its bounds is like them.
struct FittedRange {
  FabricClass fabric_class = FabricClass::NvlinkDomain;
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::vector<std::string> algorithms;  // that were predicted for them
  Bytes least, most;                    // nccl-tests' size column
  int least_ranks = 0, most_ranks = 0;
};

// measured / predicted of rows whose case the fit had not seen.
struct ResidualRange {
  FabricClass fabric_class = FabricClass::NvlinkDomain;
  SizeClass size_class = SizeClass::Small;
  int rows = 0, cases = 0;
  double q10 = 1, median = 1, q90 = 1;  // quantiles over the rows
};

struct FitRecord {
  std::string date;  // "2026-01-31"
  std::string tool;  // "ringspan 0.1.0"
  std::uint64_t seed = 0;
  std::string base;                  // the profile whose values were the start
  std::vector<std::string> sources;  // file names, without folders
  int rows = 0, cases = 0;
  std::vector<std::string> undetermined;  // constants that rows depend on and do not determine
  std::vector<FittedRange> ranges;
  std::vector<ResidualRange> residuals;
};

// The table `fitted` and its [[residual]]s.
FitRecord read_fit_record(const ConfigNode& root);

}  // namespace ringspan
