#include "app/report/study_costs.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/report/number_text.h"
#include "app/report/study_writers.h"

namespace ringspan {

namespace {

// "1.2 kW"
std::string power_text(double watts) {
  if (watts < 1e3) return significant(watts, 4) + " W";
  if (watts < 1e6) return significant(watts / 1e3, 4) + " kW";
  return significant(watts / 1e6, 4) + " MW";
}

std::string or_dash(const std::optional<double>& value) {
  return value ? significant(*value, 7) : std::string("-");
}

const PricedLine* priced_line(const ComparedDesign& design, std::size_t line) {
  return design.cost ? &design.cost->lines[line] : nullptr;
}

std::string length_text(const BillLine& line) {
  if (line.item != BillItem::Cable) return {};
  return line.metres > 0 ? significant(line.metres, 4) + " m" : std::string("not said");
}

// "[2]": sources are long, and most stand in several lines.
std::string source_number(const std::string& source, std::vector<std::string>& sources) {
  if (source.empty()) return {};
  auto found = std::find(sources.begin(), sources.end(), source);
  if (found == sources.end()) found = sources.insert(sources.end(), source);
  return fmt::format("[{}]", found - sources.begin() + 1);
}

std::vector<std::string> bill_cells(const ComparedDesign& design, std::size_t d, std::size_t i,
                                    bool costs, std::vector<std::string>& sources) {
  const PricedLine* const priced = priced_line(design, i);
  const BillLine& line = priced != nullptr ? priced->line : design.bill[i];
  std::vector<std::string> cells = {i == 0 ? design_letter(d) : std::string(),
                                    std::string(bill_item_name(line.item)),
                                    line.name,
                                    line.place,
                                    std::to_string(line.count),
                                    line.ports > 0 ? std::to_string(line.ports) : std::string(),
                                    length_text(line),
                                    line.medium};
  if (!costs) return cells;
  cells.push_back(priced != nullptr && priced->price ? significant(*priced->price, 7) : "");
  cells.push_back(priced != nullptr && priced->rent ? significant(*priced->rent, 7) : "");
  cells.push_back(priced != nullptr && priced->watts ? power_text(*priced->watts) : "");
  cells.push_back(priced != nullptr ? source_number(priced->source, sources) : "");
  return cells;
}

std::string flagged(const std::string& text, bool incomplete) {
  return incomplete ? text + " +" : text;
}

}  // namespace

bool has_costs(const StudyComparison& comparison) {
  return std::any_of(comparison.designs.begin(), comparison.designs.end(),
                     [](const ComparedDesign& design) { return design.cost.has_value(); });
}

std::string currency_of(const StudyComparison& comparison) {
  for (const ComparedDesign& design : comparison.designs) {
    if (design.cost && !design.cost->currency.empty()) return design.cost->currency;
  }
  return {};
}

ReportSection bill_section(const StudyComparison& comparison) {
  ReportSection section;
  section.heading = "Bill of materials: the whole system";
  section.table.columns = {{"", false}, {"item", false}, {"", false},      {"place", false},
                           {"count"},   {"ports used"},  {"cable length"}, {"medium", false}};
  const bool costs = has_costs(comparison);
  if (costs) {
    const std::string currency = currency_of(comparison);
    section.table.columns.push_back({"price each " + currency});
    section.table.columns.push_back({"rent each " + currency + "/h"});
    section.table.columns.push_back({"power each"});
    section.table.columns.push_back({"source", false});
  }
  std::vector<std::string> sources;
  for (std::size_t d = 0; d < comparison.designs.size(); ++d) {
    const ComparedDesign& design = comparison.designs[d];
    for (std::size_t i = 0; i < design.bill.size(); ++i) {
      section.table.rows.push_back(bill_cells(design, d, i, costs, sources));
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    section.after.push_back(fmt::format("[{}] {}", i + 1, sources[i]));
  }
  return section;
}

ReportSection costs_section(const StudyComparison& comparison) {
  ReportSection section;
  const std::string currency = currency_of(comparison);
  section.heading = "Cost and power";
  section.table.columns = {{"", false},
                           {"price book", false},
                           {"purchase " + currency},
                           {"per hour " + currency},
                           {"per GPU and hour"},
                           {"power"}};
  for (std::size_t d = 0; d < comparison.designs.size(); ++d) {
    const ComparedDesign& design = comparison.designs[d];
    if (!design.cost) {
      section.table.rows.push_back({design_letter(d), "none", "-", "-", "-", "-"});
      continue;
    }
    const DesignCost& cost = *design.cost;
    std::optional<double> per_gpu;
    if (cost.per_hour) per_gpu = *cost.per_hour / design.gpus;
    section.table.rows.push_back(
        {design_letter(d), cost.book,
         cost.rented ? "rented"
                     : flagged(or_dash(cost.purchase), cost.cost_incomplete && cost.purchase),
         flagged(or_dash(cost.per_hour), cost.cost_incomplete && cost.per_hour),
         flagged(per_gpu ? significant(*per_gpu, 4) : "-", cost.cost_incomplete && per_gpu),
         cost.watts ? flagged(power_text(*cost.watts), cost.power_incomplete) : "-"});
    std::string missing;
    for (const std::string& one : cost.missing) missing += (missing.empty() ? "" : ", ") + one;
    if (!missing.empty()) {
      section.after.push_back(
          fmt::format("{}, not in {}: {}", design_letter(d), cost.book, missing));
    }
  }
  if (!section.after.empty()) section.after.push_back("+: what is not in the book comes on top");
  return section;
}

}  // namespace ringspan
