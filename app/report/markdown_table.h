#pragma once

#include <string>
#include <vector>

namespace ringspan {

// A table in Markdown: a line of names, then lines of as many cells. Columns whose name begins with
// '>' (which is not printed) are right-aligned. Bars in cells are escaped.
class MarkdownTable {
 public:
  explicit MarkdownTable(const std::vector<std::string>& columns);

  void add(const std::vector<std::string>& cells);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace ringspan
