#pragma once

#include <string_view>

namespace ringspan {

std::string_view ringspan_version();  // the project's version: "0.1.0"

}  // namespace ringspan
