#include "app/study/study_comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/study/scaling.h"

namespace ringspan {

namespace {

void add_once(std::vector<std::string>& lines, std::string line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
}

class Comparing {
 public:
  Comparing(const Study& study, const StudyPlan& plan, const std::vector<CaseResult>& results)
      : study_(study), plan_(plan), results_(results) {}

  StudyComparison compare() {
    comparison_.title = study_.title;
    comparison_.file = study_.file;
    comparison_.text = study_.text;
    describe_designs();
    for (std::size_t w = 0; w < study_.workloads.size(); ++w) {
      comparison_.workloads.push_back(compare_workload(w));
    }
    for (std::size_t i = 0; i < results_.size(); ++i) pass_on(plan_.cases[i], results_[i]);
    return std::move(comparison_);
  }

 private:
  void describe_designs() {
    for (std::size_t d = 0; d < study_.designs.size(); ++d) {
      const StudyDesign& design = study_.designs[d];
      const PlannedDesign& planned = plan_.designs[d];
      ComparedDesign compared;
      compared.name = design.name;
      compared.system = planned.system->info.name;
      compared.description = planned.system->info.description;
      compared.nodes = planned.nodes;
      compared.gpus = planned.gpus;
      compared.overrides = design.overrides;
      compared.bill = planned.bill;
      compared.cost = planned.cost;
      comparison_.designs.push_back(std::move(compared));
    }
    for (std::size_t i = 0; i < results_.size(); ++i) {
      ComparedDesign& design = comparison_.designs[plan_.cases[i].design];
      if (!design.profile.empty()) continue;
      design.gpu_model = results_[i].gpu_model;
      design.profile = results_[i].profile;
      design.nccl = results_[i].nccl;
    }
  }

  void pass_on(const StudyCase& one, const CaseResult& result) {
    const std::string& name = study_.designs[one.design].name;
    for (const std::string& warning : result.warnings) {
      add_once(comparison_.warnings, fmt::format("{}: {}", name, warning));
    }
    if (!result.stalled.empty()) {
      comparison_.stalled.push_back(
          fmt::format("{}, {}: {}", name, study_.workloads[one.workload].name, result.stalled));
    }
    comparison_.interrupted |= result.interrupted;
  }

  ComparedWorkload compare_workload(std::size_t w) {
    const StudyWorkload& work = study_.workloads[w];
    ComparedWorkload compared;
    compared.name = work.name;
    compared.kind = work.kind;
    if (work.kind == WorkloadKind::Collective) compared.collective = work.parts.front().collective;
    if (work.kind == WorkloadKind::Known) {
      compared.rows = {known_row(work)};
    } else if (work.kind == WorkloadKind::Mix) {
      for (std::size_t part = 0; part < work.parts.size(); ++part) {
        compared.parts.push_back(
            {work.parts[part].collective, work.parts[part].weight, part_rows(w, part)});
      }
      compared.rows = {mixed_row(compared.parts)};
    } else {
      compared.rows = part_rows(w, 0);
    }
    for (DesignRow& row : compared.rows) relate(row);
    for (ComparedPart& part : compared.parts) {
      for (DesignRow& row : part.rows) relate(row);
    }
    if (work.kind == WorkloadKind::Collective) find_crossovers(compared);
    return compared;
  }

  DesignRow empty_row() const {
    DesignRow row;
    row.cells.resize(study_.designs.size());
    return row;
  }

  DesignRow known_row(const StudyWorkload& work) const {
    DesignRow row = empty_row();
    for (const KnownTime& known : work.times) {
      ComparedCell& cell = row.cells[known.design];
      cell.done = true;
      cell.seconds = known.seconds;
    }
    return row;
  }

  std::vector<DesignRow> part_rows(std::size_t workload, std::size_t part) const {
    const std::size_t sizes = study_.workloads[workload].parts[part].sizes.size();
    std::vector<DesignRow> rows(sizes, empty_row());
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const StudyCase& one = plan_.cases[i];
      if (one.workload != workload || one.part != part) continue;
      for (std::size_t s = 0; s < results_[i].points.size(); ++s) {
        const PointResult& point = results_[i].points[s];
        ComparedCell& cell = rows[s].cells[one.design];
        cell.done = true;
        cell.seconds = to_seconds(point.time);
        cell.point = point;
      }
    }
    // As asked for: designs of other numbers of ranks round it differently.
    const std::vector<Bytes>& asked = study_.workloads[workload].parts[part].sizes;
    for (std::size_t s = 0; s < sizes; ++s) rows[s].bytes = asked[s].count;
    return rows;
  }

  DesignRow mixed_row(const std::vector<ComparedPart>& parts) const {
    DesignRow row = empty_row();
    for (std::size_t d = 0; d < row.cells.size(); ++d) row.cells[d] = mixed_cell(parts, d);
    return row;
  }

  // Parts follow one another. What limits it is what limits the part that takes longest.
  static ComparedCell mixed_cell(const std::vector<ComparedPart>& parts, std::size_t design) {
    ComparedCell sum;
    sum.done = true;
    sum.point.extrapolated = false;
    double longest = -1, bound = 0;
    TimeInterval interval;
    bool known = true;
    for (const ComparedPart& part : parts) {
      const ComparedCell& cell = part.rows.front().cells[design];
      if (!cell.done) return {};
      const double seconds = part.weight * cell.seconds;
      sum.seconds += seconds;
      bound += part.weight * to_seconds(cell.point.lower_bound);
      sum.point.extrapolated |= cell.point.extrapolated;
      known = known && cell.point.interval.has_value();
      if (known) {
        interval.low_us += part.weight * cell.point.interval->low_us;
        interval.high_us += part.weight * cell.point.interval->high_us;
      }
      if (seconds <= longest) continue;
      longest = seconds;
      sum.point.bottleneck = cell.point.bottleneck;
      sum.point.link_class = cell.point.link_class;
      sum.point.utilisation = cell.point.utilisation;
    }
    sum.point.time = duration_from_seconds(sum.seconds);
    sum.point.lower_bound = duration_from_seconds(bound);
    if (known) sum.point.interval = interval;
    return sum;
  }

  // Everything that is said in comparison to the first design.
  void relate(DesignRow& row) const {
    const ComparedCell& first = row.cells.front();
    const WorkDone reference{first.seconds, static_cast<double>(plan_.designs.front().gpus)};
    for (std::size_t d = 0; d < row.cells.size(); ++d) {
      ComparedCell& cell = row.cells[d];
      if (!cell.done) continue;
      const WorkDone work{cell.seconds, static_cast<double>(plan_.designs[d].gpus)};
      cell.gpu_hours = gpu_hours(work);
      cell.cost = cost_of_run(d, cell.seconds);
      if (!first.done || first.seconds <= 0) continue;
      cell.ratio = cell.seconds / first.seconds;
      cell.speedup = speedup(reference, work);
      cell.efficiency = scaling_efficiency(reference, work);
      const std::optional<double> first_cost = cost_of_run(0, first.seconds);
      if (cell.cost && first_cost && *first_cost > 0) cell.cost_ratio = *cell.cost / *first_cost;
    }
  }

  std::optional<double> cost_of_run(std::size_t design, double seconds) const {
    constexpr double kSecondsPerHour = 3600;
    const std::optional<DesignCost>& cost = plan_.designs[design].cost;
    if (!cost || !cost->per_hour) return std::nullopt;
    return *cost->per_hour * seconds / kSecondsPerHour;
  }

  static void find_crossovers(ComparedWorkload& work) {
    const std::size_t designs = work.rows.front().cells.size();
    for (std::size_t a = 0; a < designs; ++a) {
      for (std::size_t b = a + 1; b < designs; ++b) {
        std::vector<double> sizes, first, second;
        for (const DesignRow& row : work.rows) {
          if (!row.cells[a].done || !row.cells[b].done) continue;
          sizes.push_back(static_cast<double>(row.bytes));
          first.push_back(row.cells[a].seconds);
          second.push_back(row.cells[b].seconds);
        }
        for (const Crossover& at : crossovers(sizes, first, second)) {
          work.crossovers.push_back({a, b, at});
        }
      }
    }
  }

  const Study& study_;
  const StudyPlan& plan_;
  const std::vector<CaseResult>& results_;
  StudyComparison comparison_;
};

}  // namespace

StudyComparison compare_designs(const Study& study, const StudyPlan& plan,
                                const std::vector<CaseResult>& results) {
  return Comparing(study, plan, results).compare();
}

}  // namespace ringspan
