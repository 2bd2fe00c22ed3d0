#include "sim/config/number_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace ringspan {

namespace {

template <typename Number>
std::string bounds(Number least, Number most) {
  const bool has_least = least > std::numeric_limits<Number>::lowest();
  const bool has_most = most < std::numeric_limits<Number>::max();
  if (least == most) return fmt::format("allowed: {}", least);
  if (has_least && has_most) return fmt::format("allowed: {} to {}", least, most);
  if (has_most) return fmt::format("allowed: at most {}", most);
  return fmt::format("allowed: at least {}", least);
}

}  // namespace

std::string range_hint(std::int64_t least, std::int64_t most) { return bounds(least, most); }
std::string range_hint(double least, double most) { return bounds(least, most); }

std::int64_t whole_in_quotes(const std::string& text) {
  std::int64_t number = 1;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? number : 1;
}

std::string whole_example(std::int64_t number, std::int64_t least, std::int64_t most) {
  return std::to_string(std::clamp(number, least, std::max(least, most)));
}

}  // namespace ringspan
