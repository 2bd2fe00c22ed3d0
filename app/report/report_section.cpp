#include "app/report/report_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace ringspan {

namespace {

std::vector<std::size_t> column_widths(const ReportTable& table) {
  std::vector<std::size_t> widths;
  for (const ReportColumn& column : table.columns) widths.push_back(column.heading.size());
  for (const std::vector<std::string>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

std::string padded(const std::string& cell, const ReportColumn& column, std::size_t width) {
  return column.right ? fmt::format("{:>{}}", cell, width) : fmt::format("{:<{}}", cell, width);
}

void append_line(const ReportTable& table, const std::vector<std::size_t>& widths,
                 const std::vector<std::string>& cells, std::string& text) {
  std::string line = " ";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += "  " + padded(cells[i], table.columns[i], widths[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

std::vector<std::string> headings(const ReportTable& table) {
  std::vector<std::string> cells;
  for (const ReportColumn& column : table.columns) cells.push_back(column.heading);
  return cells;
}

void append_table(const ReportTable& table, std::string& text) {
  if (table.columns.empty()) return;
  const std::vector<std::size_t> widths = column_widths(table);
  append_line(table, widths, headings(table), text);
  for (const std::vector<std::string>& row : table.rows) append_line(table, widths, row, text);
}

// What Markdown would take for a column's border or a tag.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '<' || c == '`') result += '\\';
    result += c;
  }
  return result;
}

void append_markdown_row(const std::vector<std::string>& cells, std::string& text) {
  text += '|';
  for (const std::string& cell : cells) text += ' ' + escaped(cell) + " |";
  text += '\n';
}

void append_markdown_table(const ReportTable& table, std::string& text) {
  if (table.columns.empty()) return;
  append_markdown_row(headings(table), text);
  text += '|';
  for (const ReportColumn& column : table.columns) text += column.right ? " ---: |" : " :--- |";
  text += '\n';
  for (const std::vector<std::string>& row : table.rows) {
    if (!row.empty()) append_markdown_row(row, text);
  }
  text += '\n';
}

}  // namespace

std::string page_text(const ReportPage& page) {
  std::string text = page.title + '\n';
  for (const std::string& line : page.lines) text += line + '\n';
  for (const ReportSection& section : page.sections) {
    text += '\n' + section.heading + '\n';
    for (const std::string& line : section.before) text += "  " + line + '\n';
    append_table(section.table, text);
    for (const std::string& line : section.after) text += "  " + line + '\n';
  }
  return text;
}

std::string page_markdown(const ReportPage& page) {
  std::string text = "# " + escaped(page.title) + "\n\n";
  for (const std::string& line : page.lines) text += escaped(line) + "\n\n";
  for (const ReportSection& section : page.sections) {
    text += "## " + escaped(section.heading) + "\n\n";
    for (const std::string& line : section.before) text += escaped(line) + "\n\n";
    append_markdown_table(section.table, text);
    for (const std::string& line : section.after) text += "- " + escaped(line) + '\n';
    if (!section.after.empty()) text += '\n';
  }
  return text;
}

}  // namespace ringspan
