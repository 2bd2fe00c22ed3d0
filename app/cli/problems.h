#pragma once

#include <vector>

#include "sim/base/input_error.h"

namespace ringspan {

// Tells what is wrong with an input: the first few, and how many more there are.
void write_problems(std::vector<InputProblem> problems);

}  // namespace ringspan
