#pragma once

#include <string>
#include <string_view>

namespace ringspan {

// RFC 4180: a field with a separator, a quote or a line break is quoted.
std::string csv_field(std::string_view text);

}  // namespace ringspan
