#pragma once

// One message between every two ranks that have something for each other; nothing is forwarded.

#include <memory>

#include "models/collectives/algorithm.h"

namespace ringspan {

std::unique_ptr<Algorithm> make_direct();

}  // namespace ringspan
