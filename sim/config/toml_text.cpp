#include "sim/config/toml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// value / 10^decimals, exactly.
std::string decimal_text(std::int64_t value, int decimals) {
  std::int64_t unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  std::string text = fmt::format("{}.{:0{}}", value / unit, value % unit, decimals);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    constexpr unsigned char kDelete = 0x7f;
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < ' ' || code == kDelete) {
      quoted += fmt::format("\\u{:04x}", code);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string toml_strings(std::span<const std::string> texts) {
  std::string list = "[";
  for (const std::string& text : texts) list += (list.size() > 1 ? ", " : "") + toml_string(text);
  return list + "]";
}

std::string toml_key(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), is_bare);
  return bare ? std::string(key) : toml_string(key);
}

std::string toml_duration(Duration duration) {
  constexpr int kPicosecondsInMicroseconds = 6;
  return fmt::format("\"{} us\"", decimal_text(duration.count(), kPicosecondsInMicroseconds));
}

std::string toml_bandwidth(Bandwidth rate) {
  // A bit/s is 1.25e-10 GB/s.
  constexpr std::int64_t kMost = std::int64_t{1} << 56;
  RINGSPAN_CHECK(rate.bits_per_second < kMost, "a rate of a profile is below 9 PB/s");
  constexpr int kDecimals = 12;
  return fmt::format("\"{} GB/s\"", decimal_text(rate.bits_per_second * 125, kDecimals));
}

std::string toml_bytes(Bytes size) {
  constexpr std::array<std::pair<int, std::string_view>, 4> kUnits = {
      {{40, "TiB"}, {30, "GiB"}, {20, "MiB"}, {10, "KiB"}}};
  for (const auto& [bits, unit] : kUnits) {
    const std::int64_t whole = size.count >> bits;
    if (whole > 0 && whole << bits == size.count) return fmt::format("\"{} {}\"", whole, unit);
  }
  return fmt::format("\"{} B\"", size.count);
}

}  // namespace ringspan
