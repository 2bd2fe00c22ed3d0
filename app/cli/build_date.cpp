#include "app/cli/build_date.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

std::chrono::sys_seconds now() {
  const char* const set = std::getenv("SOURCE_DATE_EPOCH");
  if (set == nullptr) {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  }
  const std::string_view text = set;
  std::int64_t seconds = -1;
  constexpr std::int64_t kMost = 253402300799;  // the end of the year 9999
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || rest != text.data() + text.size() || seconds < 0 || seconds > kMost) {
    throw InputError("SOURCE_DATE_EPOCH is " + quote_text(text),
                     "it is a whole number of seconds since 1970; unset it for today's date");
  }
  return std::chrono::sys_seconds{std::chrono::seconds{seconds}};
}

}  // namespace

std::string build_date() {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(now())};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

}  // namespace ringspan
