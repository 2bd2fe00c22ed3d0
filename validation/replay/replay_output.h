#pragma once

// How a replay ends: its results written, and its exit code.

#include <string>

#include "validation/replay/replay_options.h"
#include "validation/replay/replay_report.h"

namespace ringspan {

// To the request's file, or to standard output where that cannot be written, so that results are
// not lost with a full disk. Returns the exit code, 0 or 2. Throws OutputClosed.
int write_replay_results(const ReplayRequest& request, const ReplayReport& report);

// Rows and halves that were begun and not measured.
void drop_unmeasured_rows(ReplayReport& report);

// Messages, results, exit code. `failure`: what ended the run; empty: nothing.
int finish_replay(const ReplayRequest& request, const ReplayReport& report,
                  const std::string& failure);

}  // namespace ringspan
