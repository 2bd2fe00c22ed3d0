#pragma once

// ReplayReport to text. Code flow: run_replay() fills a report, the program picks a writer. Writers
// compute nothing but rates and percentiles.
//   replay_table()  the layout of nccl-tests 2.19, a section per series of rows; what is not
//   measured
//                   or not checked is N/A
//   replay_json()   nccl-tests' -J, version 3, and a key `system`
//   replay_csv()    a measured table (docs/validate.md), with further columns

#include <string>

#include "validation/replay/replay_report.h"

namespace ringspan {

std::string replay_table(const ReplayReport& report);

// Throws InputError for a plan of several kinds of collectives, communicators or forced choices:
// nccl-tests has one of each in a file.
std::string replay_json(const ReplayReport& report);
void require_one_test(const Plan& plan);

std::string replay_csv(const ReplayReport& report);

// The rows [first, end) that nccl-tests would print under one header.
struct ReplaySection {
  std::size_t first = 0, end = 0;
};
std::vector<ReplaySection> replay_sections(const ReplayReport& report);

}  // namespace ringspan
