#pragma once

#include <span>
#include <vector>

namespace ringspan {

// Where one curve of times crosses another one.
struct Crossover {
  double bytes = 0;             // between two sizes that were run, see crossovers()
  double below = 0, above = 0;  // these two
  bool first_below = true;      // the first curve is the faster one below it
};

// `sizes` ascend; times[i] belongs to sizes[i], in any unit. Between two neighbours of opposite
// order the logarithm of the ratio of times is taken as linear in the logarithm of the size. Equal
// times are no crossing by themselves: what comes before and after decides, and the crossing is
// between these. Sizes of 0 are passed over.
std::vector<Crossover> crossovers(std::span<const double> sizes, std::span<const double> first,
                                  std::span<const double> second);

}  // namespace ringspan
