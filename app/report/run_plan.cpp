#include "app/report/run_plan.h"

#include <utility>

namespace ringspan {

namespace {

// What all collectives of a run have in common.
PlannedCollective common_part(const RunScenario& scenario) {
  PlannedCollective item;
  item.dtype = scenario.dtype;
  item.op = scenario.op;
  item.algorithm = scenario.algorithm;
  item.protocol = scenario.protocol;
  item.channels = scenario.channels;
  item.iterations = scenario.iterations;
  return item;
}

template <typename Report>
Plan head_of(const std::string& system, const RunScenario& scenario, const Report& report) {
  Plan plan;
  plan.system = system == "-" ? report.system : system;
  plan.nodes = report.nodes;
  plan.ranks = report.gpus;
  plan.nccl = report.nccl;
  plan.launch = launch_mode_name(scenario.launch);
  return plan;
}

// A job's own choice goes before the run's.
PlannedCollective planned_job(const PlannedCollective& common, const JobSpec& job) {
  PlannedCollective item = common;
  item.collective = job.collective;
  item.ranks = job.ranks;
  item.root = collective_has_root(job.collective) ? job.root : 0;
  if (job.algorithm) item.algorithm = job.algorithm;
  if (job.protocol) item.protocol = job.protocol;
  if (job.channels) item.channels = job.channels;
  return item;
}

}  // namespace

Plan plan_of(const std::string& system, const RunScenario& scenario, const RunReport& report) {
  Plan plan = head_of(system, scenario, report);
  PlannedCollective item = common_part(scenario);
  item.collective = scenario.collective;
  item.root = collective_has_root(scenario.collective) ? scenario.root : 0;
  for (const RunRow& row : report.rows) {
    item.size = {row.bytes};
    plan.collectives.push_back(item);
  }
  return plan;
}

Plan plan_of(const std::string& system, const ConcurrentScenario& scenario,
             const ConcurrentReport& report) {
  Plan plan = head_of(system, scenario.common, report);
  const PlannedCollective common = common_part(scenario.common);
  for (const ConcurrentRun& run : report.runs) {
    bool together = false;
    for (const JobRow& entry : run.rows) {
      PlannedCollective item = planned_job(common, scenario.jobs[entry.job]);
      item.size = {entry.row.bytes};
      item.together = std::exchange(together, true);
      plan.collectives.push_back(std::move(item));
    }
  }
  return plan;
}

}  // namespace ringspan
