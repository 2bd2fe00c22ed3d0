#pragma once

// Static routes: a destination has one way at every switch, by its number. OpenSM's minhop and
// ftree spread destinations over ports so; further up by the next digit (D-mod-k: Zahavi et al.,
// "Optimized InfiniBand fat-tree routing for shift all-to-all communication patterns",
// Concurrency and Computation 22(2), 2010).

#include <cstdint>
#include <memory>

#include "topologies/routing/path_choice.h"

namespace ringspan {

std::unique_ptr<const PathChoice> make_destination_modulo(std::uint64_t seed);

}  // namespace ringspan
