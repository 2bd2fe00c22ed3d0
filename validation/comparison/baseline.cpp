#include "validation/comparison/baseline.h"

#include "validation/comparison/alpha_beta.h"

namespace ringspan {

Registry<BaselineFactory> builtin_baselines() {
  Registry<BaselineFactory> baselines("baseline");
  baselines.add("alpha-beta", "the textbook's ring: steps x alpha + bytes / bandwidth",
                alpha_beta_baseline);
  return baselines;
}

}  // namespace ringspan
