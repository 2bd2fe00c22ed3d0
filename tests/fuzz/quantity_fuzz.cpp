// Any text is either a quantity or refused with an InputError; what is read is not negative and can
// be written for people.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"

namespace {

using namespace ringspan;

// What `read` gives; nothing when it refuses. Any other exception ends the program: that is a bug.
template <typename Read>
auto value_of(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InputError& error) {
    RINGSPAN_CHECK(!error.problems().front().message.empty(), "a refusal says why");
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto rate = value_of([&] { return parse_bandwidth(text).per_direction; })) {
    RINGSPAN_CHECK(rate->bits_per_second >= 0, "rates are not negative");
    RINGSPAN_CHECK(!format_bandwidth(*rate).empty(), "a rate has a text");
  }
  if (const auto duration = value_of([&] { return parse_duration(text); })) {
    RINGSPAN_CHECK(*duration >= Duration::zero(), "durations are not negative");
    RINGSPAN_CHECK(!format_duration(*duration).empty(), "a duration has a text");
  }
  if (const auto bytes = value_of([&] { return parse_size(text).size; })) {
    RINGSPAN_CHECK(bytes->count >= 0, "sizes are not negative");
    RINGSPAN_CHECK(!format_size(*bytes).empty(), "a size has a text");
  }
  if (const auto transfers = value_of([&] { return parse_transfers(text); })) {
    RINGSPAN_CHECK(*transfers >= 0, "transfer rates are not negative");
  }
  return 0;
}
