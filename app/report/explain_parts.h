#pragma once

// Parts of --explain that a row has, alone or among others; internal to app/report.

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/scenario/run_report.h"

namespace ringspan {

template <typename... Arguments>
void line(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
  text += '\n';
}

std::string size_text(double bytes);  // "1.5 MiB"

// "spine 3 -> leaf 1 (98 % busy)", "latency (busiest resource 12 %)".
std::string limit_text(const RunRow& row);

// What it puts on the busiest resources, and how busy they are.
void append_loads(const RunRow& row, std::string& text);
void append_candidates(const RunRow& row, std::string& text);
void append_bound(const RunRow& row, std::string& text);

}  // namespace ringspan
