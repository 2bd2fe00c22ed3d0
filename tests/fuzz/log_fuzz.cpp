// Any bytes are read by the formats of measured times without an exception; rows that come out are
// possible, and written as a measured table they are the same rows.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "models/nccl/nccl_environment.h"
#include "sim/base/check.h"
#include "validation/logs/read_log.h"

namespace {

using namespace ringspan;

std::string quoted(const std::string& cell) {
  std::string text = "\"";
  for (const char character : cell) {
    if (character == '"') text += '"';
    text += character;
  }
  return text + '"';
}

// Cells that hold line ends or begin with blanks are no cells of a table.
bool fits_a_cell(const std::string& text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  return text.find('\n') == std::string::npos &&
         (text.empty() || (kBlanks.find(text.front()) == std::string_view::npos &&
                           kBlanks.find(text.back()) == std::string_view::npos));
}

void check_row(const MeasuredRow& row) {
  RINGSPAN_CHECK(row.gpus >= 1 && row.nodes.value_or(1) >= 1, "ranks and servers are counted");
  RINGSPAN_CHECK(row.bytes >= 0 && row.time_us > 0, "sizes and times are possible");
  RINGSPAN_CHECK(!row.system.empty() && !row.dtype.empty() && row.number >= 1, "a row is whole");
  read_nccl_environment(row.env);
}

void check_round_trip(const MeasuredRow& row) {
  const auto cells = measured_cells(row);
  std::string text;
  for (const std::string_view name : kMeasuredColumns) {
    text += (text.empty() ? "" : ",") + std::string(name);
  }
  text += '\n';
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!fits_a_cell(cells[i])) return;
    text += (i == 0 ? "" : ",") + quoted(cells[i]);
  }
  const LogContents again = read_log(text, "again.csv", {});
  RINGSPAN_CHECK(again.problems.empty() && again.rows.size() == 1, "a row is read back");
  RINGSPAN_CHECK(measured_cells(again.rows.front()) == cells, "it is the same row");
}

void check(const LogContents& contents) {
  RINGSPAN_CHECK(!contents.rows.empty() || !contents.problems.empty(),
                 "a text without rows is told");
  for (const InputProblem& problem : contents.problems) {
    RINGSPAN_CHECK(!problem.message.empty() && !format_problem(problem).empty(),
                   "problems say why");
  }
  for (const MeasuredRow& row : contents.rows) check_row(row);
  if (!contents.rows.empty()) check_round_trip(contents.rows.front());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(read_log(text, "fuzz.log", {"dgx-h100", std::nullopt}));
  // Each format, also where it does not know the text as its own.
  const Registry<LogFormat> formats = builtin_log_formats();
  for (const auto& entry : formats.entries()) {
    check(entry.factory.read(text, "fuzz.log", {"dgx-h100", CollectiveKind::AllReduce}));
  }
  return 0;
}
