#include "models/cost/fit_record.h"

#include <algorithm>
#include <limits>
#include <span>

namespace ringspan {

namespace {

constexpr std::int64_t kMostRows = 1'000'000'000;

// The one of `all` whose name is at `key`.
template <typename Kind>
Kind read_kind(const ConfigNode& node, std::string_view key, std::span<const Kind> all,
               std::string_view (*name)(Kind)) {
  std::vector<std::string> names;
  for (const Kind one : all) names.emplace_back(name(one));
  const auto place = std::find(names.begin(), names.end(), node.choice(key, names));
  return all[static_cast<std::size_t>(place - names.begin())];
}

FabricClass read_fabric_class(const ConfigNode& node) {
  return read_kind<FabricClass>(node, "class", kAllFabricClasses, fabric_class_name);
}

FittedRange read_range(const ConfigNode& node) {
  constexpr int kMostRanks = std::numeric_limits<int>::max();
  FittedRange range;
  range.fabric_class = read_fabric_class(node);
  range.collective =
      read_kind<CollectiveKind>(node, "collective", kAllCollectives, collective_name);
  range.algorithms = node.texts("algorithms");
  range.least = node.bytes("least");
  range.most = node.bytes("most");
  range.least_ranks = static_cast<int>(node.integer("least_ranks", 1, kMostRanks));
  range.most_ranks = static_cast<int>(node.integer("most_ranks", range.least_ranks, kMostRanks));
  return range;
}

ResidualRange read_residual(const ConfigNode& node) {
  constexpr double kLeast = 1e-3;
  constexpr double kMost = 1e3;
  ResidualRange residual;
  residual.fabric_class = read_fabric_class(node);
  residual.size_class = read_kind<SizeClass>(node, "size", kAllSizeClasses, size_class_name);
  residual.rows = static_cast<int>(node.integer("rows", 1, kMostRows));
  residual.cases = static_cast<int>(node.integer("cases", 1, kMostRows));
  residual.q10 = node.number("q10", kLeast, kMost);
  residual.median = node.number("median", residual.q10, kMost);
  residual.q90 = node.number("q90", residual.median, kMost);
  return residual;
}

}  // namespace

FitRecord read_fit_record(const ConfigNode& root) {
  const ConfigNode node = root.child("fitted");
  FitRecord record;
  record.date = node.text("date");
  record.tool = node.text("tool");
  record.seed =
      static_cast<std::uint64_t>(node.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  record.base = node.text("base");
  record.sources = node.texts("sources");
  record.rows = static_cast<int>(node.integer("rows", 1, kMostRows));
  record.cases = static_cast<int>(node.integer("cases", 1, kMostRows));
  record.undetermined = node.texts("undetermined");
  for (const ConfigNode& range : node.children("range")) record.ranges.push_back(read_range(range));
  for (const ConfigNode& residual : root.children("residual")) {
    record.residuals.push_back(read_residual(residual));
  }
  return record;
}

}  // namespace ringspan
