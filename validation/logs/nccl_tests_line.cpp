#include "validation/logs/nccl_tests_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/quote.h"
#include "validation/logs/cell_reading.h"

namespace ringspan {

namespace {

constexpr std::string_view kBlanks = " \t\r";

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

// Behind "[1,0]<stdout>:" or "[0]"; 0 where the text does not begin so.
std::size_t bracket_prefix(std::string_view text) {
  if (!text.starts_with('[')) return 0;
  const std::size_t close = text.find(']');
  if (close == std::string_view::npos) return 0;
  const std::string_view rest = text.substr(close + 1);
  for (const std::string_view stream : {"<stdout>:", "<stderr>:", "<stddiag>:"}) {
    if (rest.starts_with(stream)) return close + 1 + stream.size();
  }
  return rest.empty() || rest.front() == ' ' ? close + 1 : 0;
}

// Behind the first word where it ends in a colon: "0:", "node1:".
std::size_t colon_prefix(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  return end > 0 && text[end - 1] == ':' ? end : 0;
}

std::size_t launcher_prefix(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return line.size();
  const std::string_view text = line.substr(first);
  const std::size_t bracket = bracket_prefix(text);
  return first + (bracket > 0 ? bracket : colon_prefix(text));
}

bool is_number_field(std::string_view text) {
  return text == "N/A" || decimal_number(text).has_value();
}

bool near(double value, double expected) {
  // Printed with two decimals: of a rate of some GB/s a part in a hundred is lost at most.
  return std::abs(value - expected) <= 0.02 * expected;
}

}  // namespace

std::vector<LineField> output_fields(std::string_view line) {
  std::vector<LineField> fields;
  std::size_t at = launcher_prefix(line);
  while ((at = line.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    fields.push_back({line.substr(at, end - at), static_cast<int>(at) + 1});
    at = end;
  }
  return fields;
}

std::optional<RowLayout> row_layout(const std::vector<LineField>& fields) {
  const auto find = [&](std::string_view name) {
    return std::find_if(fields.begin(), fields.end(),
                        [&](const LineField& field) { return field.text == name; });
  };
  auto time = find("time");
  const bool cpu_time = time == fields.end();
  if (cpu_time) time = find("cputime");
  if (time == fields.end() || find("size") == fields.end() || find("type") == fields.end() ||
      find("algbw") == fields.end()) {
    return std::nullopt;
  }
  RowLayout layout;
  layout.known = true;
  layout.has_root = find("root") < time;
  layout.cpu_time = cpu_time;
  layout.values = static_cast<std::size_t>(fields.end() - time);
  return layout;
}

bool begins_row(const std::vector<LineField>& fields) {
  return fields.size() >= 3 && whole_number(fields[0].text, 0) && whole_number(fields[1].text, 0) &&
         is_letter(fields[2].text.front());
}

std::optional<RowMistake> read_test_row(const std::vector<LineField>& fields,
                                        const RowLayout& layout, TestRow& row) {
  row.bytes = *whole_number(fields[0].text, 0);
  row.count = *whole_number(fields[1].text, 0);
  row.type = std::string(fields[2].text);
  row.bytes_column = fields[0].column;
  std::size_t next = 3;
  if (next < fields.size() && !is_number_field(fields[next].text) &&
      is_letter(fields[next].text.front())) {
    if (fields[next].text != "none") row.redop = std::string(fields[next].text);
    ++next;
  }
  const std::size_t left = fields.size() - next;
  const bool has_root = layout.known ? layout.has_root : left % 4 == 1;
  const std::size_t wanted = layout.values + (has_root ? 1 : 0);
  if (left < wanted) {
    return RowMistake{fields.back().column, fmt::format("the row of size {} is cut off: {} fields "
                                                        "of {}",
                                                        row.bytes, fields.size(), next + wanted)};
  }
  if (has_root) {
    const auto root = whole_number(fields[next].text, -1);
    if (root && *root >= 0) row.root = static_cast<int>(std::min<std::int64_t>(*root, 1 << 30));
    ++next;
  }
  const LineField& time = fields[next];
  const auto value = decimal_number(time.text);
  if (!value || !is_possible_time(*value)) {
    return RowMistake{time.column, fmt::format("column time of size {}: {} is no {}", row.bytes,
                                               quote_text(time.text), value ? "time" : "number")};
  }
  row.time_us = *value;
  row.time_text = std::string(time.text);
  row.time_column = time.column;
  row.algbw = decimal_number(fields[next + 1].text).value_or(0);
  row.busbw = decimal_number(fields[next + 2].text).value_or(0);
  return std::nullopt;
}

std::optional<CollectiveKind> collective_of_rows(const std::vector<TestRow>& rows, int ranks) {
  const auto fastest =
      std::max_element(rows.begin(), rows.end(),
                       [](const TestRow& a, const TestRow& b) { return a.algbw < b.algbw; });
  // Below 1 GB/s two decimals are too few.
  if (fastest == rows.end() || fastest->algbw < 1 || ranks < 2) return std::nullopt;
  const double ratio = fastest->busbw / fastest->algbw;
  const bool reduces = !fastest->redop.empty();
  std::vector<CollectiveKind> fitting;
  for (const CollectiveKind kind : kAllCollectives) {
    if (collective_reduces(kind) == reduces &&
        collective_has_root(kind) == fastest->root.has_value() &&
        near(ratio, busbw_factor(kind, ranks))) {
      fitting.push_back(kind);
    }
  }
  if (fitting.size() != 1) return std::nullopt;
  return fitting.front();
}

}  // namespace ringspan
