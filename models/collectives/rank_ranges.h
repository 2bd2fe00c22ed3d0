#pragma once

// Ranks as text: 3, 0-7, 0-56/8 (every 8th), and several of these joined by +.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

// In the order written, each once. Throws InputError without a position.
std::vector<std::int32_t> parse_ranks(std::string_view text);

// A short text that parse_ranks() takes back to the same ranks.
std::string ranks_text(std::span<const std::int32_t> ranks);

}  // namespace ringspan
