#include "sim/config/toml_guard.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace ringspan {

namespace {

constexpr int kMostBrackets = 32;
constexpr int kMostKeyParts = 16;
// 10^6 values take about a second and 300 MB.
constexpr std::size_t kMostValues = 1'000'000;
// The parser searches tables made by dotted keys and arrays of tables one by one.
constexpr std::size_t kMostTables = 200'000;

class TomlGuard {
 public:
  TomlGuard(std::string_view text, const SourcePosition& file) : text_(text), file_(file) {}

  void run() {
    while (at_ < text_.size()) {
      step();
      if (brackets_ > kMostBrackets) {
        refuse(fmt::format("more than {} nested brackets", kMostBrackets));
      }
      if (dots_ >= kMostKeyParts) {
        refuse(fmt::format("a key of more than {} parts", kMostKeyParts));
      }
      if (values_ > kMostValues) refuse(fmt::format("more than {} values", kMostValues));
      if (tables_ > kMostTables) refuse(fmt::format("more than {} tables", kMostTables));
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({file_.file, line_, static_cast<int>(at_ - line_begin_)}, what,
                     "describe repeated parts with counts instead of one by one");
  }

  void step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') return skip_comment();
    ++at_;
    switch (c) {
      case '\n':
        next_line();
        break;
      case '[':
        if (line_start_ && at_ < text_.size() && text_[at_] == '[') ++tables_;
        ++brackets_;
        break;
      case '{':
        ++values_;
        ++brackets_;
        break;
      case ']':
      case '}':
        if (brackets_ > 0) --brackets_;
        break;
      case '.':
        ++dots_;
        // A key's dot makes a table.
        if (!in_value_) ++tables_;
        break;
      case '=':
        in_value_ = true;
        ++values_;
        break;
      case ',':
        in_value_ = false;
        ++values_;
        break;
      default:
        break;
    }
    const bool key_part = c == '.' || c == ' ' || c == '\t' || c == '-' || c == '_' ||
                          (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z');
    if (!key_part) dots_ = 0;
    if (c != ' ' && c != '\t' && c != '\n' && c != '[') line_start_ = false;
  }

  void next_line() {
    ++line_;
    line_begin_ = at_;
    in_value_ = false;
    line_start_ = true;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    dots_ = 0;
  }

  // A single-line string ends at the end of its line at the latest: the parser stops there too.
  void skip_string(char quote) {
    const std::string fence(3, quote);
    if (text_.substr(at_).starts_with(fence)) return skip_long_string(quote, fence);
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' && quote == '"' ? 2 : 1;
    }
    if (at_ < text_.size() && text_[at_] == quote) ++at_;
    if (at_ > text_.size()) at_ = text_.size();
  }

  void skip_long_string(char quote, const std::string& fence) {
    at_ += fence.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(fence)) {
      if (text_[at_] == '\\' && quote == '"') ++at_;
      if (at_ < text_.size() && text_[at_] == '\n') {
        ++line_;
        line_begin_ = at_ + 1;
      }
      ++at_;
    }
    // Up to two quotes more may belong to the text.
    while (at_ < text_.size() && text_[at_] == quote) ++at_;
    if (at_ > text_.size()) at_ = text_.size();
    dots_ = 0;
  }

  std::string_view text_;
  const SourcePosition& file_;
  std::size_t at_ = 0;
  std::size_t line_begin_ = 0;
  int line_ = 1;
  int brackets_ = 0;
  int dots_ = 0;
  bool in_value_ = false;
  bool line_start_ = true;
  std::size_t values_ = 0;
  std::size_t tables_ = 0;
};

}  // namespace

void guard_toml(std::string_view text, const SourcePosition& file) { TomlGuard(text, file).run(); }

}  // namespace ringspan
