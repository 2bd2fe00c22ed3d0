#pragma once

// Simulated against measured, as text. docs/output.md describes each.

#include <span>
#include <string>

#include "validation/comparison/summary.h"

namespace ringspan {

// The error table, for people: errors per system and collective, in all, and the worst rows with
// what the simulator believed.
std::string comparison_table(const Comparison& comparison, const ComparisonSummary& summary);

// Each measured row, then predicted_us,rel_error,lo_us,hi_us,extrapolated; with a baseline its
// baseline_us,baseline_rel_error behind.
std::string csv_text(const Comparison& comparison);

std::string json_text(const Comparison& comparison, const ComparisonSummary& summary);

// A page of tables under headings, in Markdown: the table's figures, ours and the baseline's on the
// same rows, each case, how far measurements of one thing differ, and what the fits of `profiles`
// left over.
std::string markdown_text(const Comparison& comparison, const ComparisonSummary& summary,
                          std::span<const Profile> profiles);

}  // namespace ringspan
