#include "validation/comparison/baseline.h"

#include "validation/comparison/alpha_beta.h"
#include "validation/comparison/nccl_model.h"

namespace ringspan {

Registry<BaselineFactory> builtin_baselines() {
  Registry<BaselineFactory> baselines("baseline");
  baselines.add("nccl-model", "the formula by which NCCL picks algorithm and protocol",
                nccl_model_baseline);
  baselines.add("alpha-beta", "the textbook's ring: steps x alpha + bytes / bandwidth",
                alpha_beta_baseline);
  return baselines;
}

}  // namespace ringspan
