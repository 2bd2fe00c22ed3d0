#pragma once

// Numbers in the hints of refusals.

#include <cstdint>
#include <string>

namespace ringspan {

// Bounds as people read them; an end of the type is no bound.
std::string range_hint(std::int64_t least, std::int64_t most);
std::string range_hint(double least, double most);

// The number a text holds, "64"; 1 where it holds none.
std::int64_t whole_in_quotes(const std::string& text);

// `number` as text, or the bound next to it.
std::string whole_example(std::int64_t number, std::int64_t least, std::int64_t most);

}  // namespace ringspan
