#include "app/study/study_point.h"

#include <algorithm>

#include "app/scenario/concurrent_scenario.h"

namespace ringspan {

namespace {

// Which resource the limit is about: the one named, else the busiest.
void describe_limit(const RunRow& row, PointResult& point) {
  point.bottleneck = row.bottleneck;
  point.utilisation = row.bottleneck_utilisation;
  for (const ResourceLoad& load : row.loads) {
    if (load.name == row.bottleneck) {
      point.link_class = load.link_class;
      return;
    }
  }
  if (!row.loads.empty()) point.link_class = row.loads.front().link_class;
}

PointResult point_of(const RunRow& row) {
  PointResult point;
  point.bytes = row.bytes;
  point.time = row.time;
  point.algbw_gbs = row.algbw_gbs;
  point.busbw_gbs = row.busbw_gbs;
  point.algorithm = row.algorithm;
  point.protocol = row.protocol;
  point.channels = row.channels;
  point.granularity = row.granularity;
  describe_limit(row, point);
  point.lower_bound = row.lower_bound;
  point.extrapolated = row.extrapolated;
  if (row.interval) {
    const double time = to_microseconds(row.time);
    point.interval = TimeInterval{time * row.interval->low, time * row.interval->high};
  }
  return point;
}

CaseResult run_alone(const StudyCase& one, const Catalog& catalog,
                     const ProgressCallback& progress) {
  const RunReport report = run_scenario(one.scenario, *one.system, catalog, progress);
  CaseResult result{report.nodes, report.gpus,     report.gpu_model,   report.profile, report.nccl,
                    {},           report.warnings, report.interrupted, report.stalled};
  for (const RunRow& row : report.rows) result.points.push_back(point_of(row));
  return result;
}

// Limited by what limits the one that ends last.
PointResult point_of(const ConcurrentReport& report, const ConcurrentRun& run) {
  PointResult point;
  point.bytes = report.own_sizes ? 0 : run.size.count;
  point.granularity = run.granularity;
  Duration last{-1};
  for (const JobRow& entry : run.rows) {
    const std::string& name = report.jobs[entry.job].name;
    point.jobs.push_back({name, entry.row.time, entry.alone, entry.row.busbw_gbs});
    if (entry.end <= last) continue;
    last = entry.end;
    describe_limit(entry.row, point);
    point.bottleneck = "job " + name + ": " + point.bottleneck;
  }
  point.time = std::max(last, Duration{});
  return point;
}

CaseResult run_together(const StudyCase& one, const Catalog& catalog,
                        const ProgressCallback& progress) {
  const ConcurrentScenario scenario{one.scenario, one.jobs, nullptr};
  const ConcurrentReport report = run_concurrent(scenario, *one.system, catalog, progress);
  CaseResult result{report.nodes,    report.gpus,        report.jobs.front().gpu_model,
                    report.profile,  report.nccl,        {},
                    report.warnings, report.interrupted, report.stalled};
  for (const ConcurrentRun& run : report.runs) result.points.push_back(point_of(report, run));
  return result;
}

// A run's refusal without a place belongs to what asked for it.
InputError at_case(const StudyCase& one, const InputError& error) {
  std::vector<InputProblem> problems = error.problems();
  for (InputProblem& problem : problems) {
    if (problem.where.file.empty()) problem.where = one.where;
    problem.message = one.system->info.name + ": " + problem.message;
  }
  return InputError(std::move(problems));
}

}  // namespace

CaseResult run_case(const StudyCase& one, const Catalog& catalog,
                    const std::function<bool()>& go_on) {
  ProgressCallback progress;
  if (go_on) progress = [&go_on](const Progress&) { return go_on(); };
  try {
    return one.jobs.empty() ? run_alone(one, catalog, progress)
                            : run_together(one, catalog, progress);
  } catch (const InputError& error) {
    throw at_case(one, error);
  }
}

CaseResult run_point(const StudyCase& one, Bytes size, const Catalog& catalog) {
  StudyCase single = one;
  single.scenario.sizes = {size};
  return run_case(single, catalog);
}

}  // namespace ringspan
