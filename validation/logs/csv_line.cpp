#include "validation/logs/csv_line.h"

#include <algorithm>
#include <cstddef>

namespace ringspan {

namespace {

constexpr std::string_view kBlanks = " \t\r";

std::size_t skip_blanks(std::string_view line, std::size_t at) {
  return std::min(line.find_first_not_of(kBlanks, at), line.size());
}

// From behind the opening quote; `at` moves behind the closing one. False: there is none.
bool read_quoted(std::string_view line, std::size_t& at, std::string& text) {
  for (; at < line.size(); ++at) {
    if (line[at] == '"') {
      const bool doubled = at + 1 < line.size() && line[at + 1] == '"';
      ++at;
      if (!doubled) return true;
    }
    text += line[at];
  }
  return false;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return line;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::vector<CsvCell> csv_cells(std::string_view line, char separator) {
  std::vector<CsvCell> cells;
  std::size_t at = 0;
  while (true) {
    if (separator != '\t') at = skip_blanks(line, at);
    CsvCell cell{"", static_cast<int>(at) + 1};
    if (at < line.size() && line[at] == '"') {
      ++at;
      cell.closed = read_quoted(line, at, cell.text);
    }
    const std::size_t end = std::min(line.find(separator, at), line.size());
    cell.text += trimmed(line.substr(at, end - at));
    cells.push_back(std::move(cell));
    if (end == line.size()) return cells;
    at = end + 1;
  }
}

}  // namespace ringspan
