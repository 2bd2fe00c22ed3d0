#pragma once

// A text file compiled into the library (see cmake/RingspanEmbed.cmake).

#include <string_view>

namespace ringspan {

struct EmbeddedFile {
  std::string_view name;  // without folder and extension
  std::string_view text;
};

}  // namespace ringspan
