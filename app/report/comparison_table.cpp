#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "app/report/comparison_writers.h"
#include "app/report/number_text.h"
#include "sim/base/quote.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

std::string share(double value) { return fmt::format("{:.1f} %", value * 100.0); }
std::string signed_share(double value) { return fmt::format("{:+.1f} %", value * 100.0); }

// Widths that the names in the lines need.
struct NameWidths {
  std::size_t group = 6, collective = 0;

  explicit NameWidths(const std::vector<SummaryLine>& lines) {
    for (const SummaryLine& line : lines) {
      group = std::max(group, line.group.size());
      collective = std::max(collective, line.collective.size());
    }
  }
};

class TableText {
 public:
  TableText(const Comparison& comparison, const ComparisonSummary& summary)
      : comparison_(comparison), summary_(summary) {}

  std::string text() {
    append_head();
    append_lines(summary_.by_system, "system", "rows");
    text_ += "#\n# over rows\n";
    append_lines(summary_.over_rows, "class", "rows");
    text_ += "#\n# over cases: of each case's own median |error|\n";
    append_lines(summary_.over_cases, "class", "cases");
    append_intervals();
    append_worst();
    return std::move(text_);
  }

 private:
  auto out() { return std::back_inserter(text_); }

  void append_head() {
    std::set<std::string> cases;
    for (const ComparedRow& row : comparison_.rows) cases.insert(row.row.case_name);
    fmt::format_to(
        out(), "# ringspan {} validate: {} of {} measured rows, {} {}, {}\n", kVersion,
        comparison_.rows.size(), comparison_.rows_given, cases.size(),
        cases.size() == 1 ? "case" : "cases",
        comparison_.profile.empty() ? "the built-in profiles" : "profile " + comparison_.profile);
    text_ +=
        "# error = predicted / measured - 1; median, p90 and worst are of |error|, bias is the "
        "mean "
        "error\n# small: below 4 MiB\n#\n";
  }

  void append_lines(const std::vector<SummaryLine>& lines, std::string_view group,
                    std::string_view count) {
    const NameWidths widths(lines);
    const bool collectives = widths.collective > 0;
    append_names("#", group, collectives ? "collective" : "", "size", widths);
    fmt::format_to(out(), " {:>6} {:>9} {:>9} {:>9} {:>9}", count, "median", "p90", "worst",
                   "bias");
    if (!comparison_.baseline.empty()) {
      fmt::format_to(out(), "   {}: {:>6} {:>9} {:>9} {:>9}", comparison_.baseline, count, "median",
                     "p90", "bias");
    }
    text_ += '\n';
    for (const SummaryLine& line : lines) append_line(line, widths);
  }

  void append_names(std::string_view mark, std::string_view group, std::string_view collective,
                    std::string_view size, const NameWidths& widths) {
    fmt::format_to(out(), "{:<1} {:<{}}", mark, group, widths.group);
    if (widths.collective > 0) {
      fmt::format_to(out(), "  {:<{}}", collective, std::max<std::size_t>(widths.collective, 10));
    }
    fmt::format_to(out(), "  {:<5}", size);
  }

  void append_line(const SummaryLine& line, const NameWidths& widths) {
    append_names("", harmless_text(line.group), line.collective,
                 line.size_class ? size_class_name(*line.size_class) : "all", widths);
    const ErrorSummary& ours = line.ours;
    fmt::format_to(out(), " {:>6} {:>9} {:>9} {:>9} {:>9}", ours.count, share(ours.median),
                   share(ours.p90), share(ours.worst), signed_share(ours.bias));
    if (!comparison_.baseline.empty()) append_baseline(line.baseline);
    text_ += '\n';
  }

  void append_baseline(const ErrorSummary& errors) {
    const std::size_t width = comparison_.baseline.size() + 2;
    if (errors.count == 0) {
      fmt::format_to(out(), "   {:>{}}{:>6}", "", width - 1, "none");
      return;
    }
    fmt::format_to(out(), "   {:>{}}{:>6} {:>9} {:>9} {:>9}", "", width, errors.count,
                   share(errors.median), share(errors.p90), signed_share(errors.bias));
  }

  void append_intervals() {
    if (summary_.intervals.empty()) return;
    text_ +=
        "#\n# 80 % intervals: rows measured within theirs; median of upper / lower bound\n"
        "# class            size   of the fit     rows    within     width\n";
    for (const IntervalLine& line : summary_.intervals) {
      fmt::format_to(out(), "  {:<15}  {:<5}  {:<10} {:>8} {:>9} {:>9.2f}\n",
                     line.fabric_class ? fabric_class_name(*line.fabric_class) : "all",
                     line.size_class ? size_class_name(*line.size_class) : "all",
                     line.extrapolated ? "outside" : "inside", line.rows, share(line.coverage),
                     line.width);
    }
  }

  void append_worst() {
    if (summary_.worst.empty()) return;
    text_ += "#\n# worst rows, and what the simulator believed\n";
    std::size_t width = 6;
    for (const std::size_t index : summary_.worst) {
      width = std::max(width, comparison_.rows[index].row.system.size());
    }
    fmt::format_to(out(), "# {:<{}}  nodes gpus {:<14} {:>12} {:>12} {:>12} {:>9}  {}\n", "system",
                   width, "collective", "size", "measured(us)", "predicted", "error",
                   "picked: algorithm, protocol, channels; limited by; where it was read");
    for (const std::size_t index : summary_.worst) append_row(comparison_.rows[index], width);
  }

  void append_row(const ComparedRow& row, std::size_t width) {
    const Prediction& prediction = row.prediction;
    fmt::format_to(out(), "  {:<{}}  {:>5} {:>4} {:<14} {:>12} {:>12} {:>12} {:>9}  ",
                   harmless_text(row.row.system), width,
                   row.row.nodes ? std::to_string(*row.row.nodes) : "-", row.row.gpus,
                   collective_name(row.row.collective), row.row.bytes,
                   significant(row.row.time_us, 5),
                   significant(to_microseconds(prediction.time), 5), signed_share(row.error()));
    fmt::format_to(out(), "{} {} {}; {}; {}\n", prediction.algorithm,
                   protocol_name(prediction.protocol), prediction.channels, prediction.bottleneck,
                   place(row.row));
  }

  static std::string place(const MeasuredRow& row) {
    return fmt::format("{}:{}", harmless_text(row.file),
                       row.line > 0 ? std::to_string(row.line)
                                    : "results[" + std::to_string(row.number - 1) + "]");
  }

  const Comparison& comparison_;
  const ComparisonSummary& summary_;
  std::string text_;
};

}  // namespace

std::string comparison_table(const Comparison& comparison, const ComparisonSummary& summary) {
  return TableText(comparison, summary).text();
}

}  // namespace ringspan
