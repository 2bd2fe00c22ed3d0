#pragma once

// From files to rows: which format each is of is found by what is in it.

#include <span>
#include <string>
#include <string_view>

#include "validation/logs/log_format.h"

namespace ringspan {

// `file` is for messages. Never throws InputError: an empty text, one of no known format and one
// without rows are problems too.
LogContents read_log(std::string_view text, const std::string& file, const LogOptions& options);

// All files, one after the other; "-" is standard input. Rows that are equal in all but their time
// are problems, and the first of them stands. A file that cannot be opened is a problem.
LogContents read_logs(std::span<const std::string> files, const LogOptions& options);

// By file as given, then by line.
void sort_by_place(std::span<const std::string> files, std::vector<InputProblem>& problems);

}  // namespace ringspan
