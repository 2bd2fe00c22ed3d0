#include "sim/base/quote.h"

#include <cstddef>

namespace ringspan {

namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// The length of the UTF-8 sequence at `i` by its first byte and continuation bytes; 0 when it is
// none. Overlong forms pass: they do no harm here.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const unsigned char first = byte_at(text, i);
  std::size_t length = 0;
  if (first < 0x80) length = 1;
  if (first >= 0xC2 && first < 0xE0) length = 2;
  if (first >= 0xE0 && first < 0xF0) length = 3;
  if (first >= 0xF0 && first < 0xF5) length = 4;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

void append_escaped(std::string& out, unsigned char byte) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\x";
  out += kHex[byte >> 4U];
  out += kHex[byte & 0xFU];
}

// C0 and C1 control characters: the second kind moves cursors too.
bool is_control(std::string_view sequence) {
  const unsigned char first = byte_at(sequence, 0);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  return first == 0xC2 && byte_at(sequence, 1) < 0xA0;
}

// Appends up to about `longest` bytes of `text`; "..." stands for the rest.
void append_harmless(std::string& out, std::string_view text, std::size_t longest) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (i >= longest) {
      out += "...";
      break;
    }
    const std::size_t length = sequence_length(text, i);
    const std::string_view sequence = text.substr(i, length == 0 ? 1 : length);
    if (length == 0 || is_control(sequence)) {
      for (std::size_t k = 0; k < sequence.size(); ++k) append_escaped(out, byte_at(sequence, k));
    } else {
      out += sequence;
    }
    i += sequence.size();
  }
}

}  // namespace

std::string quote_text(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string out = "'";
  append_harmless(out, text, kLongest);
  return out + "'";
}

std::string harmless_text(std::string_view text) {
  std::string out;
  append_harmless(out, text, text.size());
  return out;
}

}  // namespace ringspan
