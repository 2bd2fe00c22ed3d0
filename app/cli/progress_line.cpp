#include "app/cli/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace ringspan {

namespace {

using namespace std::chrono_literals;

constexpr auto kQuietAtFirst = 1s;
constexpr auto kBetweenUpdates = 200ms;
constexpr std::size_t kUsualColumns = 80;

std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return size.ws_col;
}

}  // namespace

ProgressLine::ProgressLine()
    : terminal_(::isatty(STDERR_FILENO) == 1), next_(Clock::now() + kQuietAtFirst) {}

ProgressLine::~ProgressLine() { erase(); }

bool ProgressLine::due() {
  if (!terminal_ || Clock::now() < next_) return false;
  next_ = Clock::now() + kBetweenUpdates;
  return true;
}

void ProgressLine::show(std::string_view text) {
  // A wrapped line could not be erased.
  const std::string line(text.substr(0, terminal_columns() - 1));
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::erase() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace ringspan
