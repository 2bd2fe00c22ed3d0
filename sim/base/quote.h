#pragma once

// User text inside messages.

#include <string>
#include <string_view>

namespace ringspan {

// 'text' in single quotes, made harmless for a terminal: control characters and bytes that are not
// UTF-8 become \xNN, and what is longer than 60 bytes is cut and ends in "...".
std::string quote_text(std::string_view text);

// The whole text, made harmless in the same way, without quotes.
std::string harmless_text(std::string_view text);

}  // namespace ringspan
