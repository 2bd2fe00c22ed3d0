#pragma once

#include <string>
#include <string_view>

namespace ringspan {

// Draws Graphviz text with the program `dot`. Throws InputError where it is missing or fails.
std::string draw_svg(std::string_view dot_text);

}  // namespace ringspan
