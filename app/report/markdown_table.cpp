#include "app/report/markdown_table.h"

#include <string_view>

namespace ringspan {

namespace {

std::string escaped(std::string_view cell) {
  std::string text;
  for (const char letter : cell) {
    if (letter == '|') text += '\\';
    text += letter;
  }
  return text;
}

}  // namespace

MarkdownTable::MarkdownTable(const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  std::string rule = "|";
  for (const std::string& column : columns) {
    const bool right = column.front() == '>';
    names.push_back(right ? column.substr(1) : column);
    rule += right ? " ---: |" : " --- |";
  }
  add(names);
  text_ += rule + '\n';
}

void MarkdownTable::add(const std::vector<std::string>& cells) {
  text_ += '|';
  for (const std::string& cell : cells) text_ += ' ' + escaped(cell) + " |";
  text_ += '\n';
}

}  // namespace ringspan
