#pragma once

// Errors of each measured series by itself.

#include <set>
#include <string>
#include <vector>

#include "validation/comparison/comparison.h"
#include "validation/comparison/error_summary.h"

namespace ringspan {

struct CaseLine {
  std::string name;
  // What its rows are of; mostly one each.
  std::set<std::string> systems, collectives;
  std::set<int> ranks;
  ErrorSummary all, small, large;  // count 0: none of that size
};

// By name.
std::vector<CaseLine> summarize_each_case(const Comparison& comparison);

// Those with the largest median |error|, the largest first; at most so many.
std::vector<CaseLine> worst_cases(std::vector<CaseLine> lines, std::size_t most);

}  // namespace ringspan
