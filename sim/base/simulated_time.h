#pragma once

// How long a simulation may take: beyond it a clock of int64 picoseconds would soon overflow.

#include "sim/base/units.h"

namespace ringspan {

// Rounded down. Throws InputError above 25 days: the sum of a few of them still fits.
Duration simulated_duration(double picoseconds);

}  // namespace ringspan
