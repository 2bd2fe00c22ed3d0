#pragma once

// nccl-tests' data types and reductions, by the names its options and its table use.

#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

// Bytes per element. Throws InputError for an unknown name.
int dtype_size(std::string_view dtype);
std::vector<std::string> dtype_names();
std::vector<std::string> reduction_names();  // "sum", "prod", "min", "max", "avg"

}  // namespace ringspan
