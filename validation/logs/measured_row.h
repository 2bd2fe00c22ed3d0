#pragma once

// One measured time of one collective, wherever it was read from. Code flow of this module:
//   read_log.h       a file's text -> which format (log_format.h) -> its rows, problems and notes
//   registry.cpp     the formats: measured_table.h, nccl_tests_text.h, nccl_tests_json.h
// A row that cannot be read is a problem with its place; the other rows stand.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/collective.h"
#include "models/collectives/protocol.h"
#include "sim/base/input_error.h"

namespace ringspan {

// The columns of a measured table, in its order.
enum class MeasuredColumn : std::size_t {
  System,
  Nodes,
  Gpus,
  Nccl,
  Collective,
  Algorithm,
  Protocol,
  Dtype,
  Bytes,
  TimeUs,
  Launch,
  Env,
  Case,
};

inline constexpr std::array<std::string_view, 13> kMeasuredColumns = {
    "system", "nodes", "gpus",    "nccl",   "collective", "algorithm", "protocol",
    "dtype",  "bytes", "time_us", "launch", "env",        "case"};

constexpr std::string_view measured_column_name(MeasuredColumn column) {
  return kMeasuredColumns[static_cast<std::size_t>(column)];
}

struct MeasuredRow {
  std::string system;        // a name of the catalogue or a path; empty: the source names none
  std::optional<int> nodes;  // servers used; absent: as many as `gpus` needs
  int gpus = 1;              // ranks in all
  std::string nccl;          // the version, as written; may be empty
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::string algorithm;             // forced; empty: NCCL's own choice
  std::optional<Protocol> protocol;  // forced
  std::string dtype = "float";
  std::int64_t bytes = 0;  // nccl-tests' size column
  double time_us = 0;      // out of place; positive
  std::string time_text;   // as written
  std::string launch;      // as written; may be empty
  std::string env;         // NAME=value, blank-separated
  std::string case_name;   // the series that the row belongs to

  // Where it was read.
  std::string file;
  int line = 0;                                   // from 1; 0: unknown
  int number = 0;                                 // which row of the file, from 1
  std::array<int, kMeasuredColumns.size()> at{};  // column of each cell in its line; 0: unknown

  SourcePosition where(MeasuredColumn column) const {
    const int at_column = at[static_cast<std::size_t>(column)];
    return {file, line, line > 0 ? at_column : 0};
  }
};

// The row as the cells of a measured table; read back they give the same row.
std::array<std::string, kMeasuredColumns.size()> measured_cells(const MeasuredRow& row);

// What one file says.
struct LogContents {
  std::vector<MeasuredRow> rows;       // in the file's order
  std::vector<InputProblem> problems;  // rows and parts that could not be read, in the file's order
  std::size_t refused = 0;             // rows that are there and not among `rows`
  std::vector<std::string> notes;      // what was ignored or taken for granted
};

}  // namespace ringspan
