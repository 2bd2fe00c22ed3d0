#pragma once

// A report as headings, lines and tables of text: what stands in text, Markdown and HTML alike.

#include <string>
#include <vector>

namespace ringspan {

struct ReportColumn {
  std::string heading;
  bool right = true;  // aligned: numbers; else to the left: names
};

struct ReportTable {
  std::vector<ReportColumn> columns;
  std::vector<std::vector<std::string>> rows;  // a cell per column; an empty row separates groups
};

struct ReportSection {
  std::string heading;
  std::vector<std::string> before;  // lines above the table
  ReportTable table;                // without columns: none
  std::vector<std::string> after;   // lines below it
};

struct ReportPage {
  std::string title;
  std::vector<std::string> lines;  // below the title
  std::vector<ReportSection> sections;
};

// Columns padded with blanks, lines wrapped by nobody.
std::string page_text(const ReportPage& page);
// GitHub's Markdown.
std::string page_markdown(const ReportPage& page);

}  // namespace ringspan
