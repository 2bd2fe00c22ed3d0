#include "topologies/routing/path_choice.h"

#include "sim/base/check.h"

namespace ringspan {

std::uint32_t PathChoice::pick(std::uint32_t /*at*/, const FlowKey& /*flow*/,
                               std::uint32_t /*ways*/) const {
  fail_check("spread() == Spread::One", "a flow that is spread takes no single way", __FILE__,
             __LINE__);
}

}  // namespace ringspan
