#include "validation/logs/measured_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/quote.h"
#include "validation/logs/cell_reading.h"
#include "validation/logs/csv_line.h"

namespace ringspan {

namespace {

using Column = MeasuredColumn;

constexpr std::array kNeeded = {Column::System, Column::Gpus, Column::Collective, Column::Bytes,
                                Column::TimeUs};

std::optional<Column> column_of(std::string_view name) {
  const auto found = std::find(kMeasuredColumns.begin(), kMeasuredColumns.end(), name);
  if (found == kMeasuredColumns.end()) return std::nullopt;
  return static_cast<Column>(found - kMeasuredColumns.begin());
}

std::string all_columns() { return fmt::format("{}", fmt::join(kMeasuredColumns, ",")); }

bool is_row(std::string_view line) {
  const std::string_view text = trimmed(line);
  return !text.empty() && text.front() != '#';
}

// What stands between the names of columns in this line; absent: it is no header. One name alone
// may stand in any text.
std::optional<char> separator_of(std::string_view line) {
  for (const char separator : {',', ';', '\t'}) {
    const std::vector<CsvCell> cells = csv_cells(line, separator);
    const auto known = std::count_if(cells.begin(), cells.end(), [](const CsvCell& cell) {
      return column_of(cell.text).has_value();
    });
    if (known >= 2) return separator;
  }
  return std::nullopt;
}

// Also where it is a table with other separators, so that they can be named.
bool recognises_table(std::string_view text) {
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (is_row(line)) return separator_of(line).has_value();
  }
  return false;
}

class TableReader {
 public:
  TableReader(const std::string& file, const LogOptions& options)
      : file_(file), options_(options) {}

  LogContents read(std::string_view text) {
    text = without_byte_order_mark(text);
    bool header_read = false;
    while (!text.empty()) {
      ++line_;
      const std::string_view line = next_line(text);
      if (!is_row(line)) continue;
      if (std::exchange(header_read, true)) {
        ++number_;
        read_row(csv_cells(line));
      } else if (!is_separated_by_commas(line) || !read_header(csv_cells(line))) {
        break;
      }
    }
    contents_.refused = static_cast<std::size_t>(number_) - contents_.rows.size();
    if (number_ == 0 && contents_.problems.empty()) {
      fail({file_, line_, 0}, "the table has no rows", "below the header comes one line per time");
    }
    return std::move(contents_);
  }

 private:
  void fail(SourcePosition where, std::string message, std::string hint) {
    contents_.problems.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  bool is_separated_by_commas(std::string_view header) {
    const char separator = separator_of(header).value_or(',');
    if (separator == ',') return true;
    fail({file_, line_, static_cast<int>(header.find(separator)) + 1},
         fmt::format("the cells are separated by {}", separator == ';' ? "';'" : "tabs"),
         "separate them by commas; numbers have a decimal point");
    return false;
  }

  bool read_header(const std::vector<CsvCell>& cells) {
    const std::size_t problems_before = contents_.problems.size();
    for (const CsvCell& cell : cells) {
      const std::optional<Column> column = column_of(cell.text);
      header_.push_back(column);
      if (!column) {
        note_unknown(cell);
      } else if (std::exchange(cell_of_[static_cast<std::size_t>(*column)],
                               static_cast<int>(header_.size()) - 1) >= 0) {
        fail({file_, line_, cell.column}, fmt::format("the column {} is there twice", cell.text),
             "name each column once");
      }
    }
    for (const Column column : kNeeded) {
      const bool given_otherwise = column == Column::System && !options_.system.empty();
      if (cell_of_[static_cast<std::size_t>(column)] >= 0 || given_otherwise) continue;
      fail({file_, line_, 0}, fmt::format("the column {} is missing", measured_column_name(column)),
           "a measured table has the columns " + all_columns());
    }
    return contents_.problems.size() == problems_before;
  }

  void note_unknown(const CsvCell& cell) {
    const std::vector<std::string> names(kMeasuredColumns.begin(), kMeasuredColumns.end());
    const std::string nearest = nearest_name(cell.text, names);
    contents_.notes.push_back(fmt::format("{}:{}:{}: note: the column {} is not used{}", file_,
                                          line_, cell.column, quote_text(cell.text),
                                          nearest.empty() ? "" : "; is " + nearest + " meant?"));
  }

  void read_row(const std::vector<CsvCell>& cells) {
    for (const CsvCell& cell : cells) {
      if (cell.closed) continue;
      fail({file_, line_, cell.column},
           fmt::format("row {} has a quote that is not closed", number_),
           "is the line cut off? a quote within a cell is written twice");
      return;
    }
    if (cells.size() != header_.size()) {
      refuse_length(cells);
      return;
    }
    cells_ = &cells;
    row_ = MeasuredRow{};
    row_.file = file_;
    row_.line = line_;
    row_.number = number_;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (header_[i]) row_.at[static_cast<std::size_t>(*header_[i])] = cells[i].column;
    }
    const std::size_t problems_before = contents_.problems.size();
    read_numbers();
    read_names();
    if (contents_.problems.size() == problems_before) contents_.rows.push_back(std::move(row_));
  }

  void refuse_length(const std::vector<CsvCell>& cells) {
    const bool short_row = cells.size() < header_.size();
    std::string what = fmt::format("row {} has {} cells, the header has {}", number_, cells.size(),
                                   header_.size());
    if (short_row && header_[cells.size() - 1]) {
      what += fmt::format(": it ends in the column {}",
                          measured_column_name(*header_[cells.size() - 1]));
    }
    fail({file_, line_, cells.back().column}, std::move(what),
         short_row ? "is the file cut off?" : "a cell with a comma needs quotes");
  }

  const std::string& text_of(Column column) const {
    static const std::string kNone;
    const int cell = cell_of_[static_cast<std::size_t>(column)];
    return cell < 0 ? kNone : (*cells_)[static_cast<std::size_t>(cell)].text;
  }

  void refuse(Column column, std::string_view what, std::string hint) {
    const std::string& text = text_of(column);
    const std::string cell = text.empty() ? "the cell" : quote_text(text);
    fail(row_.where(column),
         fmt::format("row {}, column {}: {} {}", number_, measured_column_name(column), cell,
                     text.empty() ? "is empty" : what),
         std::move(hint));
  }

  // A count of at least `least`; where it is refused, that.
  std::int64_t read_count(Column column, std::int64_t least, std::int64_t most, std::string hint) {
    const auto value = whole_number(text_of(column), least);
    if (value && *value <= most) return *value;
    refuse(column, "is no whole number that is possible here", std::move(hint));
    return least;
  }

  void read_numbers() {
    constexpr std::int64_t kMostRanks = std::numeric_limits<std::int32_t>::max();
    if (!text_of(Column::Nodes).empty()) {
      row_.nodes = static_cast<int>(
          read_count(Column::Nodes, 1, kMostRanks, "give the number of servers, from 1"));
    }
    row_.gpus = static_cast<int>(
        read_count(Column::Gpus, 1, kMostRanks, "give the number of GPUs in all, from 1"));
    row_.bytes = read_count(Column::Bytes, 0, kMostBytes,
                            "give bytes without a unit, up to 2^62: 1048576, not 1M");
    read_time();
  }

  void read_time() {
    const auto time = decimal_number(text_of(Column::TimeUs));
    if (!time || *time <= 0) {
      refuse(Column::TimeUs, time ? "is no time" : "is no number",
             "give microseconds without a unit, above 0: 12.5");
    } else if (!is_possible_time(*time)) {
      refuse(Column::TimeUs, "is no time that can be",
             "give microseconds, from a picosecond to 25 days");
    }
    row_.time_us = time.value_or(1);
    row_.time_text = text_of(Column::TimeUs);
  }

  void read_names() {
    row_.system = text_of(Column::System).empty() ? options_.system : text_of(Column::System);
    if (row_.system.empty()) {
      refuse(Column::System, "", "name a system of the catalogue, or give --system");
    } else if (row_.system == "-") {
      refuse(Column::System, "is no system", "name a system of the catalogue, or a file");
    }
    reading(Column::Collective,
            [&] { row_.collective = collective_from_name(text_of(Column::Collective)); });
    if (!text_of(Column::Protocol).empty()) {
      reading(Column::Protocol,
              [&] { row_.protocol = protocol_from_name(text_of(Column::Protocol)); });
    }
    row_.nccl = text_of(Column::Nccl);
    row_.algorithm = text_of(Column::Algorithm);
    if (!text_of(Column::Dtype).empty()) row_.dtype = text_of(Column::Dtype);
    row_.launch = text_of(Column::Launch);
    row_.env = text_of(Column::Env);
    row_.case_name = text_of(Column::Case);
  }

  template <typename Read>
  void reading(Column column, Read read) {
    try {
      read();
    } catch (const InputError& error) {
      const InputProblem& problem = error.problems().front();
      fail(row_.where(column),
           fmt::format("row {}, column {}: {}", number_, measured_column_name(column),
                       problem.message),
           problem.hint);
    }
  }

  const std::string& file_;
  const LogOptions& options_;
  LogContents contents_;
  int line_ = 0;
  int number_ = 0;                             // of the row
  std::vector<std::optional<Column>> header_;  // per cell
  std::array<int, kMeasuredColumns.size()> cell_of_ = {-1, -1, -1, -1, -1, -1, -1,
                                                       -1, -1, -1, -1, -1, -1};
  const std::vector<CsvCell>* cells_ = nullptr;
  MeasuredRow row_;
};

LogContents read_table(std::string_view text, const std::string& file, const LogOptions& options) {
  return TableReader(file, options).read(text);
}

}  // namespace

LogFormat measured_table_format() { return {recognises_table, read_table}; }

}  // namespace ringspan
