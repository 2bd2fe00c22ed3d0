#pragma once

// The numbers in names that stand for several devices: "7", "[0-3]", "[0,4-5]", "*".

#include <cstdint>
#include <string_view>
#include <vector>

namespace ringspan {

// A number, ranges or all: which of 0 .. bound-1 are meant, in the order written.
// Throws InputError without position: malformed, or a number of `bound` or more.
std::vector<std::uint32_t> parse_index_list(std::string_view text, std::uint32_t bound);

}  // namespace ringspan
