#include "app/cli/sweep_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "app/cli/output.h"
#include "sim/base/input_error.h"
#include "sim/config/read_input.h"

namespace ringspan {

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  throw InputError(fmt::format("cannot write '{}': {}", path, std::strerror(error)),
                   full ? "free some space; --resume goes on with the points that are done"
                        : "give a file in a folder that you may write to");
}

// -1 where the line does not begin with a number.
std::int64_t point_of(std::string_view line) {
  std::int64_t point = -1;
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), point);
  return error == std::errc{} && rest != line.data() + line.size() && *rest == ',' ? point : -1;
}

// Lines with their ends; what follows the last one is left out.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos;) {
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

SweepFile::SweepFile(std::string path, std::string header, const std::string& fingerprint,
                     bool resume)
    : path_(std::move(path)), header_(std::move(header)) {
  std::error_code ignored;
  const bool exists = std::filesystem::exists(path_, ignored);
  if (exists && !resume) {
    throw InputError(fmt::format("'{}' exists", path_),
                     "--resume goes on with it; else give another file with -o");
  }
  if (exists && !std::filesystem::is_regular_file(path_, ignored)) {
    throw InputError(fmt::format("'{}' is no file that can be gone on with", path_),
                     "give a file of its own with -o");
  }
  exists ? open_again(fingerprint) : open_new();
}

SweepFile::~SweepFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void SweepFile::open_new() {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail(path_, errno);
  append(header_);
}

void SweepFile::open_again(const std::string& fingerprint) {
  const std::string text = read_input_file(std::filesystem::path(path_));
  const std::vector<std::string_view> lines = whole_lines(text);
  if (!lines.empty() && lines.front() != header_) {
    throw InputError(SourcePosition{path_, 1, 1}, "these are not the columns of this sweep",
                     "go on with the study that it was begun with, or give another file with -o");
  }
  std::size_t kept = lines.empty() ? 0 : lines.front().size();
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::int64_t point = point_of(lines[i]);
    const bool ours = point >= 0 && lines[i].ends_with("," + fingerprint + "\n");
    if (!ours) {
      throw InputError(SourcePosition{path_, static_cast<int>(i) + 1, 1},
                       "this point is of another study, or of another version of ringspan",
                       "go on with the study that it was begun with, or give another file with -o");
    }
    if (!done_.insert(static_cast<std::size_t>(point)).second) {
      throw InputError(SourcePosition{path_, static_cast<int>(i) + 1, 1},
                       fmt::format("point {} is there twice", point), "delete one of the lines");
    }
    kept += lines[i].size();
  }
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) fail(path_, errno);
  if (::ftruncate(descriptor_, static_cast<off_t>(kept)) != 0) fail(path_, errno);
  if (lines.empty()) append(header_);
}

void SweepFile::append(std::string_view lines) {
  const off_t before = ::lseek(descriptor_, 0, SEEK_END);
  while (!lines.empty()) {
    const ssize_t written = ::write(descriptor_, lines.data(), lines.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // A part of a line would be taken for a point that is being written.
      if (::ftruncate(descriptor_, before) != 0) errno = 0;
      fail(path_, error);
    }
    lines.remove_prefix(static_cast<std::size_t>(written));
  }
}

void SweepFile::sort() {
  const std::string text = read_input_file(std::filesystem::path(path_));
  std::vector<std::string_view> lines = whole_lines(text);
  const auto begin = lines.begin() + 1;
  const auto earlier = [](std::string_view a, std::string_view b) {
    return point_of(a) < point_of(b);
  };
  if (std::is_sorted(begin, lines.end(), earlier)) return;
  std::sort(begin, lines.end(), earlier);
  Output(path_).write_pieces([&](const Output::Sink& sink) {
    std::string sorted;
    for (const std::string_view line : lines) sorted += line;
    sink(sorted);
  });
}

}  // namespace ringspan
