#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "app/report/comparison_writers.h"
#include "app/report/markdown_table.h"
#include "app/report/number_text.h"
#include "sim/base/quantity.h"
#include "sim/base/quote.h"
#include "sim/base/version.h"
#include "validation/comparison/baseline_summary.h"
#include "validation/comparison/case_summary.h"
#include "validation/comparison/repeat_spread.h"
#include "validation/comparison/row_ranges.h"

namespace ringspan {

namespace {

constexpr std::size_t kWorstCases = 20;

std::string share(double value) { return fmt::format("{:.1f} %", value * 100.0); }
std::string signed_share(double value) { return fmt::format("{:+.1f} %", value * 100.0); }

std::string size_name(std::optional<SizeClass> size_class) {
  return std::string(size_class ? size_class_name(*size_class) : "all");
}

std::string class_name(std::optional<FabricClass> fabric_class) {
  return std::string(fabric_class ? fabric_class_name(*fabric_class) : "all");
}

std::string range_text(int least, int most) {
  return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

// "5.1 % / 13.2 %", or "-" where there is no row.
std::string median_and_p90(const ErrorSummary& errors) {
  if (errors.count == 0) return "-";
  return share(errors.median) + " / " + share(errors.p90);
}

std::string bias(const ErrorSummary& errors) {
  return errors.count == 0 ? "-" : signed_share(errors.bias);
}

class MarkdownText {
 public:
  MarkdownText(const Comparison& comparison, const ComparisonSummary& summary,
               std::span<const Profile> profiles)
      : comparison_(comparison), summary_(summary), profiles_(profiles) {}

  std::string text() {
    append_head();
    append_ranges();
    append_errors("Errors over rows", "rows", summary_.over_rows);
    append_errors("Errors over cases", "cases", summary_.over_cases);
    append_baseline();
    append_intervals();
    append_residuals();
    append_repeats();
    append_systems();
    append_cases();
    append_worst_rows();
    return std::move(text_);
  }

 private:
  void section(std::string_view name, const MarkdownTable& table) {
    text_ += fmt::format("\n## {}\n\n{}", name, table.text());
  }

  void append_head() {
    text_ += fmt::format(
        "# Simulated against measured\n\nringspan {}, {} of {} measured rows, {}.\n"
        "error = predicted / measured - 1; median, p90 and worst are of |error|, bias is the mean "
        "error.\nSmall: below 4 MiB.\n",
        kVersion, comparison_.rows.size(), comparison_.rows_given,
        comparison_.profile.empty() ? "the built-in profiles"
                                    : "profile " + harmless_text(comparison_.profile));
  }

  void append_ranges() {
    MarkdownTable table({"class", ">rows", ">cases", ">systems", ">ranks", ">sizes"});
    for (const RowRange& range : row_ranges(comparison_)) {
      table.add(
          {class_name(range.fabric_class), std::to_string(range.rows), std::to_string(range.cases),
           std::to_string(range.systems), range_text(range.least_ranks, range.most_ranks),
           format_size(Bytes{range.least_bytes}) + " to " + format_size(Bytes{range.most_bytes})});
    }
    section("Rows", table);
  }

  void append_errors(std::string_view name, const std::string& count,
                     const std::vector<SummaryLine>& lines) {
    MarkdownTable table({"class", "size", ">" + count, ">median", ">p90", ">worst", ">bias"});
    for (const SummaryLine& line : lines) {
      const ErrorSummary& ours = line.ours;
      table.add({line.group, size_name(line.size_class), std::to_string(ours.count),
                 share(ours.median), share(ours.p90), share(ours.worst), bias(ours)});
    }
    section(name, table);
  }

  void append_baseline() {
    if (comparison_.baseline.empty()) return;
    const BaselineSummary beside = summarize_beside_baseline(comparison_);
    append_beside("over rows", "rows", beside.over_rows);
    append_beside("over cases", "cases", beside.over_cases);
  }

  void append_beside(std::string_view over, const std::string& count,
                     const std::vector<SummaryLine>& lines) {
    const std::string& name = comparison_.baseline;
    MarkdownTable table({"class", "size", ">" + count, ">ours: median / p90", ">bias",
                         ">" + name + ": median / p90", ">bias"});
    for (const SummaryLine& line : lines) {
      table.add({line.group, size_name(line.size_class), std::to_string(line.ours.count),
                 median_and_p90(line.ours), bias(line.ours), median_and_p90(line.baseline),
                 bias(line.baseline)});
    }
    section(fmt::format("Beside {} {}", name, over), table);
  }

  void append_intervals() {
    if (summary_.intervals.empty()) return;
    MarkdownTable table({"class", "size", "of the fit", ">rows", ">within", ">width"});
    for (const IntervalLine& line : summary_.intervals) {
      table.add({class_name(line.fabric_class), size_name(line.size_class),
                 line.extrapolated ? "outside" : "inside", std::to_string(line.rows),
                 share(line.coverage), fmt::format("{:.2f}", line.width)});
    }
    section("Intervals", table);
  }

  // Profiles keep measured / predicted; here errors, as everywhere on the page.
  void append_residuals() {
    MarkdownTable table(
        {"profile", "class", "size", ">rows", ">cases", ">10 % below", ">median", ">10 % above"});
    bool any = false;
    for (const Profile& profile : profiles_) {
      if (!profile.fit) continue;
      for (const ResidualRange& left : profile.fit->residuals) {
        table.add({harmless_text(profile.name), class_name(left.fabric_class),
                   size_name(left.size_class), std::to_string(left.rows),
                   std::to_string(left.cases), signed_share(1 / left.q90 - 1),
                   signed_share(1 / left.median - 1), signed_share(1 / left.q10 - 1)});
        any = true;
      }
    }
    if (any) section("Errors of unseen cases", table);
  }

  void append_repeats() {
    const std::vector<RepeatLine> lines = summarize_repeats(comparison_);
    if (lines.empty()) return;
    MarkdownTable table(
        {"class", "size", ">rows", ">other cases: median / p90", ">ours: median / p90"});
    for (const RepeatLine& line : lines) {
      table.add({line.group, size_name(line.size_class), std::to_string(line.others.count),
                 median_and_p90(line.others), median_and_p90(line.ours)});
    }
    section("Repeats", table);
  }

  // One line has both sizes.
  void append_systems() {
    std::map<std::pair<std::string, std::string>, std::pair<ErrorSummary, ErrorSummary>> lines;
    std::vector<std::pair<std::string, std::string>> order;
    for (const SummaryLine& line : summary_.by_system) {
      const std::pair key(line.group, line.collective);
      if (lines.find(key) == lines.end()) order.push_back(key);
      const bool small = line.size_class == SizeClass::Small;
      (small ? lines[key].first : lines[key].second) = line.ours;
    }
    MarkdownTable table({"system", "collective", ">small: rows", ">median / p90", ">bias",
                         ">large: rows", ">median / p90", ">bias"});
    for (const auto& key : order) {
      const auto& [small, large] = lines[key];
      table.add({harmless_text(key.first), key.second, std::to_string(small.count),
                 median_and_p90(small), bias(small), std::to_string(large.count),
                 median_and_p90(large), bias(large)});
    }
    section("Systems", table);
  }

  void append_cases() {
    const std::vector<CaseLine> lines = summarize_each_case(comparison_);
    section("Cases", case_table(lines));
    section("Worst cases", case_table(worst_cases(lines, kWorstCases)));
  }

  static MarkdownTable case_table(const std::vector<CaseLine>& lines) {
    MarkdownTable table({"case", "system", "collective", ">ranks", ">rows", ">median",
                         ">small: median / p90", ">large: median / p90", ">bias"});
    for (const CaseLine& line : lines) {
      table.add({harmless_text(line.name),
                 harmless_text(fmt::to_string(fmt::join(line.systems, ", "))),
                 fmt::to_string(fmt::join(line.collectives, ", ")),
                 range_text(*line.ranks.begin(), *line.ranks.rbegin()),
                 std::to_string(line.all.count), share(line.all.median), median_and_p90(line.small),
                 median_and_p90(line.large), bias(line.all)});
    }
    return table;
  }

  void append_worst_rows() {
    MarkdownTable table({"case", "collective", ">ranks", ">size", ">measured, us", ">predicted, us",
                         ">error", "what was believed"});
    for (const std::size_t index : summary_.worst) {
      const ComparedRow& row = comparison_.rows[index];
      const Prediction& believed = row.prediction;
      table.add({harmless_text(row.row.case_name), std::string(collective_name(row.row.collective)),
                 std::to_string(row.row.gpus), format_size(Bytes{row.row.bytes}),
                 significant(row.row.time_us, 5), significant(to_microseconds(believed.time), 5),
                 signed_share(row.error()),
                 fmt::format("{} {} {}; {}", believed.algorithm, protocol_name(believed.protocol),
                             believed.channels, believed.bottleneck)});
    }
    section("Worst rows", table);
  }

  const Comparison& comparison_;
  const ComparisonSummary& summary_;
  std::span<const Profile> profiles_;
  std::string text_;
};

}  // namespace

std::string markdown_text(const Comparison& comparison, const ComparisonSummary& summary,
                          std::span<const Profile> profiles) {
  return MarkdownText(comparison, summary, profiles).text();
}

}  // namespace ringspan
