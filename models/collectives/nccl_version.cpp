#include "models/collectives/nccl_version.h"

#include <array>
#include <charconv>
#include <cstddef>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw InputError("'" + std::string(text) + "' is not a version of NCCL",
                   "give X.Y or X.Y.Z, for example 2.27 or 2.27.3");
}

}  // namespace

NcclVersion parse_nccl_version(std::string_view text) {
  constexpr int kLargest = 9999;
  std::array<int, 3> parts = {0, 0, -1};
  const char* next = text.data();
  const char* const end = text.data() + text.size();
  std::size_t count = 0;
  while (count < parts.size()) {
    const auto [rest, error] = std::from_chars(next, end, parts[count]);
    if (error != std::errc{} || *next == '-' || parts[count] > kLargest) refuse(text);
    ++count;
    next = rest;
    if (next == end || *next != '.') break;
    ++next;
  }
  if (next != end || count < 2) refuse(text);
  return {parts[0], parts[1], parts[2]};
}

std::string nccl_version_text(const NcclVersion& version) {
  std::string text = std::to_string(version.major) + "." + std::to_string(version.minor);
  if (version.patch >= 0) text += "." + std::to_string(version.patch);
  return text;
}

}  // namespace ringspan
