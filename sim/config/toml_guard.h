#pragma once

#include <string_view>

#include "sim/base/input_error.h"

namespace ringspan {

// Refuses text whose parsing would need more stack, memory or time than any real file does:
// deeply nested brackets, dotted keys of many parts, millions of values. Runs before the parser,
// whose tables destroy themselves recursively. Knows strings and comments only as far as that
// needs; whether the text is TOML is the parser's business. Throws InputError.
void guard_toml(std::string_view text, const SourcePosition& file);

}  // namespace ringspan
