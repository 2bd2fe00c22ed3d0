#include "topologies/fabrics/index_list.h"

#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

[[noreturn]] void fail(std::string_view text, std::uint32_t bound) {
  throw InputError(fmt::format("'{}' does not name numbers from 0 to {}", text, bound - 1),
                   "a number, \"[0-3]\", \"[0,4-5]\" or \"*\"");
}

std::uint32_t parse_number(std::string_view digits, std::string_view text, std::uint32_t bound) {
  std::uint32_t number = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (digits.empty() || error != std::errc() || stop != end || number >= bound) fail(text, bound);
  return number;
}

}  // namespace

std::vector<std::uint32_t> parse_index_list(std::string_view text, std::uint32_t bound) {
  std::vector<std::uint32_t> numbers;
  if (text == "*") {
    numbers.resize(bound);
    std::iota(numbers.begin(), numbers.end(), 0U);
    return numbers;
  }
  if (!text.starts_with('[')) return {parse_number(text, text, bound)};
  if (!text.ends_with(']')) fail(text, bound);
  std::string_view list = text.substr(1, text.size() - 2);
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view part = list.substr(0, comma);
    const std::size_t dash = part.find('-');
    const std::uint32_t first = parse_number(part.substr(0, dash), text, bound);
    const std::uint32_t last =
        dash == std::string_view::npos ? first : parse_number(part.substr(dash + 1), text, bound);
    if (first > last || numbers.size() > bound) fail(text, bound);
    for (std::uint32_t number = first; number <= last; ++number) numbers.push_back(number);
    if (comma == std::string_view::npos) return numbers;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace ringspan
