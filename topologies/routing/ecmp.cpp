#include "topologies/routing/ecmp.h"

#include "topologies/routing/hashed_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_ecmp(std::uint64_t seed) {
  return std::make_unique<HashedChoice>(seed);
}

}  // namespace ringspan
