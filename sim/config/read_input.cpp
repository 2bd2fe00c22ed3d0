#include "sim/config/read_input.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

// A system file of 64 MiB would describe a million devices one by one; patterns describe more.
constexpr std::size_t kLargestFile = std::size_t{64} << 20;

}  // namespace

std::string read_input_file(const std::filesystem::path& path) {
  const SourcePosition where{path.string(), 0, 0};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw InputError(where, "no such file", "check the path and the spelling of the name");
  }
  if (error) {
    throw InputError(where, fmt::format("cannot be read: {}", error.message()),
                     "check the path and its permissions");
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError(where, "is a directory, not a file", "name a file in it");
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  // Read by pieces: a pipe or a device has no size to ask for.
  std::string piece(std::size_t{1} << 16, '\0');
  while (stream && text.size() <= kLargestFile) {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) {
    const std::error_code reason(errno, std::generic_category());
    throw InputError(where, fmt::format("cannot be read: {}", reason.message()),
                     "check its permissions");
  }
  if (text.size() > kLargestFile) {
    throw InputError(where, "is larger than 64 MiB",
                     "describe repeated parts with counts instead of one by one");
  }
  return text;
}

std::string read_standard_input() {
  std::string text;
  std::istreambuf_iterator<char> next(std::cin);
  for (const std::istreambuf_iterator<char> end; next != end; ++next) {
    if (text.size() == kLargestFile) {
      throw InputError("standard input is longer than 64 MiB", "an input file is a few KiB");
    }
    text += *next;
  }
  return text;
}

}  // namespace ringspan
