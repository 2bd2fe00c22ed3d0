#include "validation/comparison/baseline.h"

namespace ringspan {

Registry<BaselineFactory> builtin_baselines() { return Registry<BaselineFactory>("baseline"); }

}  // namespace ringspan
