#pragma once

#include <string>
#include <string_view>

#include "validation/plan/plan.h"

namespace ringspan {

// `name` stands for the file in messages. Throws InputError with file, line and column.
Plan parse_plan(std::string_view text, std::string name);

// A file, or "-" for standard input. Throws InputError.
Plan read_plan(const std::string& path);

}  // namespace ringspan
