#include "app/report/number_text.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace ringspan {

std::string column_number(double value, int width) {
  for (int decimals = 2; decimals >= 0; --decimals) {
    std::string text = fmt::format("{:{}.{}f}", value, width, decimals);
    if (text.size() <= static_cast<std::size_t>(width)) return text;
  }
  // "1.2e+07" needs seven characters.
  return fmt::format("{:{}.{}e}", value, width, width >= 7 ? 1 : 0);
}

std::string exact_microseconds(Duration duration) {
  constexpr std::int64_t kPicosecondsPerMicrosecond = 1'000'000;
  const std::int64_t count = duration.count();
  std::string text = fmt::format("{}.{:06}", count / kPicosecondsPerMicrosecond,
                                 std::abs(count % kPicosecondsPerMicrosecond));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string significant(double value, int digits) {
  const double magnitude = std::abs(value);
  // printf's %g turns to an exponent as soon as the digits before the point exceed the precision.
  if (magnitude >= std::pow(10.0, digits) && magnitude < 1e15) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}g}", value, digits);
}

std::string percent(double share) { return significant(share * 100.0, 3) + " %"; }

std::string rate_text(double bytes_per_second) {
  return significant(bytes_per_second / 1e9, 4) + " GB/s";
}

std::string time_text(Duration duration) {
  const double microseconds = to_microseconds(duration);
  if (microseconds < 1e3) return significant(microseconds, 4) + " us";
  if (microseconds < 1e6) return significant(microseconds / 1e3, 4) + " ms";
  return significant(microseconds / 1e6, 4) + " s";
}

}  // namespace ringspan
