#include "validation/comparison/case_summary.h"

#include <algorithm>
#include <map>

namespace ringspan {

namespace {

struct CaseErrors {
  CaseLine line;
  std::vector<double> small, large;

  void add(const ComparedRow& row) {
    line.systems.insert(row.row.system);
    line.collectives.insert(std::string(collective_name(row.row.collective)));
    line.ranks.insert(row.row.gpus);
    const bool is_small = size_class_of(row.row.bytes) == SizeClass::Small;
    (is_small ? small : large).push_back(row.error());
  }

  CaseLine summary(const std::string& name) {
    line.name = name;
    line.small = summarize_errors(small);
    line.large = summarize_errors(large);
    small.insert(small.end(), large.begin(), large.end());
    line.all = summarize_errors(small);
    return std::move(line);
  }
};

}  // namespace

std::vector<CaseLine> summarize_each_case(const Comparison& comparison) {
  std::map<std::string, CaseErrors> cases;
  for (const ComparedRow& row : comparison.rows) cases[row.row.case_name].add(row);
  std::vector<CaseLine> lines;
  for (auto& entry : cases) lines.push_back(entry.second.summary(entry.first));
  return lines;
}

std::vector<CaseLine> worst_cases(std::vector<CaseLine> lines, std::size_t most) {
  std::stable_sort(lines.begin(), lines.end(), [](const CaseLine& a, const CaseLine& b) {
    return a.all.median > b.all.median;
  });
  lines.resize(std::min(lines.size(), most));
  return lines;
}

}  // namespace ringspan
