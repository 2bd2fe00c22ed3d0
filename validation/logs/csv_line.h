#pragma once

// Lines of a text, and cells of a CSV line, with their places.

#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

struct CsvCell {
  std::string text;    // without quotes and surrounding blanks
  int column = 1;      // of its first character in the line, from 1
  bool closed = true;  // false: a quote ends with the line
};

// RFC 4180 within one line: a cell in quotes may hold separators, and quotes doubled.
std::vector<CsvCell> csv_cells(std::string_view line, char separator = ',');

// Without surrounding blanks, tabs and carriage returns.
std::string_view trimmed(std::string_view text);

// The text up to the next line feed, which is taken off `rest` with it.
std::string_view next_line(std::string_view& rest);

// Without the mark of UTF-8 that some programs write first.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace ringspan
