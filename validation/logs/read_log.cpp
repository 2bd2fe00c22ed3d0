#include "validation/logs/read_log.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>

#include "sim/config/read_input.h"
#include "validation/logs/csv_line.h"

namespace ringspan {

namespace {

std::string known_formats(const Registry<LogFormat>& formats) {
  std::string list;
  for (const auto& entry : formats.entries()) {
    list += (list.empty() ? "" : "; ") + entry.description;
  }
  return list;
}

void fail(LogContents& contents, const std::string& file, int line, std::string message,
          std::string hint) {
  InputProblem problem;
  problem.where = {file, line, 0};
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  contents.problems.push_back(std::move(problem));
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Everything but the time.
std::string identity(const MeasuredRow& row) {
  std::string text;
  const auto cells = measured_cells(row);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == static_cast<std::size_t>(MeasuredColumn::TimeUs)) continue;
    text += cells[i];
    text += '\n';
  }
  return text;
}

std::string place(const MeasuredRow& row) {
  return row.line > 0 ? row.file + ":" + std::to_string(row.line)
                      : row.file + ", row " + std::to_string(row.number);
}

// Takes repeated rows out.
void refuse_duplicates(LogContents& contents) {
  std::map<std::string, std::string> first;  // identity -> place
  std::vector<MeasuredRow> rows;
  for (MeasuredRow& row : contents.rows) {
    const auto [known, is_new] = first.emplace(identity(row), place(row));
    if (is_new) {
      rows.push_back(std::move(row));
      continue;
    }
    InputProblem problem;
    problem.where = row.where(MeasuredColumn::System);
    problem.message = "row " + std::to_string(row.number) + " repeats " + known->second +
                      " in every column but time_us";
    problem.hint = "keep one of them, or give the second series a `case` of its own";
    contents.problems.push_back(std::move(problem));
    ++contents.refused;
  }
  contents.rows = std::move(rows);
}

// Texts of two bytes a letter, as some programs for tables write them.
bool is_utf16(std::string_view text) {
  const bool marked = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
  return marked && text.size() % 2 == 0 && text.substr(2, 2).find('\0') != std::string_view::npos;
}

LogContents read_file(const std::string& file, const LogOptions& options) {
  if (file == "-") return read_log(read_standard_input(), "<standard input>", options);
  return read_log(read_input_file(std::filesystem::path(file)), file, options);
}

template <typename Item>
void append(std::vector<Item>& to, std::vector<Item>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

LogContents read_log(std::string_view text, const std::string& file, const LogOptions& options) {
  LogContents contents;
  if (is_blank(text)) {
    fail(contents, file, 0, "the file is empty", "give a file with rows");
    return contents;
  }
  if (is_utf16(text)) {
    fail(contents, file, 1, "the file is UTF-16", "save it as UTF-8");
    return contents;
  }
  const Registry<LogFormat> formats = builtin_log_formats();
  for (const auto& entry : formats.entries()) {
    if (entry.factory.recognises(text)) return entry.factory.read(text, file, options);
  }
  fail(contents, file, 1, "the file is of no known format", "known are " + known_formats(formats));
  return contents;
}

LogContents read_logs(std::span<const std::string> files, const LogOptions& options) {
  LogContents all;
  for (const std::string& file : files) {
    LogContents one;
    try {
      one = read_file(file, options);
    } catch (const InputError& error) {
      one.problems = error.problems();
    }
    append(all.rows, std::move(one.rows));
    append(all.problems, std::move(one.problems));
    append(all.notes, std::move(one.notes));
    all.refused += one.refused;
  }
  refuse_duplicates(all);
  sort_by_place(files, all.problems);
  return all;
}

void sort_by_place(std::span<const std::string> files, std::vector<InputProblem>& problems) {
  const auto order = [&](const InputProblem& problem) {
    const auto file = std::find(files.begin(), files.end(), problem.where.file);
    return std::pair(file - files.begin(), problem.where.line);
  };
  std::stable_sort(
      problems.begin(), problems.end(),
      [&](const InputProblem& a, const InputProblem& b) { return order(a) < order(b); });
}

}  // namespace ringspan
