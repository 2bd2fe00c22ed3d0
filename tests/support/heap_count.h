#pragma once

// How much memory the code under test asks for. A program that links heap_count.cpp counts all that
// operator new hands out.

#include <cstdint>

namespace ringspan::testing {

// Bytes in use now, as malloc counts them.
std::int64_t heap_bytes();
// The most that was in use since the last call of this, or since the program began; starts anew.
std::int64_t take_heap_peak();

}  // namespace ringspan::testing
