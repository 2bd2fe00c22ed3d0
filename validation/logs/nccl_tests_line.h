#pragma once

// Lines of nccl-tests' standard output, by fields and not by columns: releases differ in widths.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/collective.h"

namespace ringspan {

struct LineField {
  std::string_view text;
  int column = 1;  // of its first character in the line, from 1
};

// The blank-separated fields behind what launchers put before each line: "[1,0]<stdout>:" (Open
// MPI), "0: " (srun -l), "[0] " (MPICH), "node1: ".
std::vector<LineField> output_fields(std::string_view line);

// What the line of column names says of the rows below it.
struct RowLayout {
  bool known = false;
  bool has_root = false;
  bool cpu_time = false;   // -C: the times are those of the host
  std::size_t values = 8;  // fields from the first time to the end
};

// `fields` of a comment line; nullopt where it is not the line of column names.
std::optional<RowLayout> row_layout(const std::vector<LineField>& fields);

struct TestRow {
  std::int64_t bytes = 0;
  std::int64_t count = 0;
  std::string type;
  std::string redop;        // empty: none
  std::optional<int> root;  // absent: no such column, or -1
  std::string time_text;
  double time_us = 0;
  double algbw = 0, busbw = 0;  // out of place, as printed; 0 where they are no numbers
  int line = 0;
  int bytes_column = 0, time_column = 0;
};

// Whether a line begins as a row does: size, count, type.
bool begins_row(const std::vector<LineField>& fields);

// A row, or what is wrong with it and at which field's column. Requires begins_row().
struct RowMistake {
  int column = 0;
  std::string message;
};
std::optional<RowMistake> read_test_row(const std::vector<LineField>& fields,
                                        const RowLayout& layout, TestRow& row);

// The collective whose rows look like this on `ranks` ranks: by what busbw is to algbw, by the
// reduction and by the root. nullopt where several do.
std::optional<CollectiveKind> collective_of_rows(const std::vector<TestRow>& rows, int ranks);

}  // namespace ringspan
