#include "validation/logs/cell_reading.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace ringspan {

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t least) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || value < least) return std::nullopt;
  return value;
}

std::optional<double> decimal_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace ringspan
