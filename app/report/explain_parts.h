#pragma once

// Parts of --explain that a row has, alone or among others; internal to app/report.

#include <string>

#include "app/scenario/run_report.h"

namespace ringspan {

std::string size_text(double bytes);  // "1.5 MiB"

// "spine 3 -> leaf 1 (98 % busy)", "latency (busiest resource 12 %)".
std::string limit_text(const RunRow& row);

// What it puts on the busiest resources, and how busy they are.
void append_loads(const RunRow& row, std::string& text);
void append_candidates(const RunRow& row, std::string& text);
void append_bound(const RunRow& row, std::string& text);

}  // namespace ringspan
