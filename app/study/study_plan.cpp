#include "app/study/study_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/scenario/collective_run.h"
#include "app/study/design_sizing.h"

namespace ringspan {

namespace {

void require_job_ranks(const StudyCase& one, int gpus) {
  for (const JobSpec& job : one.jobs) {
    const std::int32_t last = *std::max_element(job.ranks.begin(), job.ranks.end());
    if (last < gpus) continue;
    throw InputError(job.ranks_at,
                     fmt::format("{}: job {} has rank {}, and the design has {} (0 to {})",
                                 one.system->info.name, job.name, last, gpus, gpus - 1),
                     "give the design more `gpus` or `nodes`, or the job other ranks");
  }
}

class Planner {
 public:
  Planner(const Study& study, const Catalog& catalog)
      : study_(study), catalog_(catalog), builder_(catalog) {}

  StudyPlan plan() {
    plan_.designs = equal_designs(study_, builder_);
    for (std::size_t w = 0; w < study_.workloads.size(); ++w) ask(w);
    for (const StudyCase& one : plan_.cases) check_case(one, catalog_);
    return std::move(plan_);
  }

 private:
  void ask(std::size_t workload) {
    const StudyWorkload& work = study_.workloads[workload];
    for (std::size_t part = 0; part < work.parts.size(); ++part) {
      for (std::size_t d = 0; d < study_.designs.size(); ++d) {
        const StudyDesign& design = plan_.designs[d].design;
        StudyCase one{d,
                      workload,
                      part,
                      {},
                      plan_.designs[d].system,
                      scenario_of(design, work.parts[part], catalog_),
                      work.jobs,
                      work.parts[part].where};
        require_case(one, design, plan_.designs[d].gpus);
        plan_.cases.push_back(std::move(one));
      }
    }
  }

  const Study& study_;
  const Catalog& catalog_;
  DesignBuilder builder_;
  StudyPlan plan_;
};

}  // namespace

StudyPlan plan_study(const Study& study, const Catalog& catalog) {
  return Planner(study, catalog).plan();
}

void require_case(const StudyCase& one, const StudyDesign& design, int gpus) {
  if (!one.jobs.empty() && !design.placement.empty()) {
    throw InputError(design.placement_at,
                     fmt::format("design '{}': jobs say which GPUs they use", design.name),
                     "leave out `placement`");
  }
  require_job_ranks(one, gpus);
}

RunScenario scenario_of(const StudyDesign& design, const WorkloadPart& part,
                        const Catalog& catalog) {
  RunScenario scenario;
  scenario.collective = part.collective;
  scenario.sizes = part.sizes;
  scenario.nodes = design.nodes;
  scenario.gpus = design.gpus;
  scenario.placement = design.placement;
  scenario.dtype = part.dtype;
  scenario.root = part.root;
  scenario.algorithm = part.algorithm;
  scenario.protocol = part.protocol;
  scenario.channels = part.channels;
  scenario.granularity = part.granularity;
  scenario.network = part.network;
  scenario.launch = part.launch;
  scenario.nccl = design.nccl;
  scenario.seed = design.seed;
  if (!design.profile) return scenario;
  try {
    scenario.profile = load_profile(catalog, *design.profile);
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    if (!problem.where.file.empty()) throw;
    throw InputError(design.profile_at, problem.message, problem.hint);
  }
  return scenario;
}

void check_case(const StudyCase& one, const Catalog& catalog) {
  const RunScenario& scenario = one.scenario;
  if (!one.jobs.empty()) return;
  if (!scenario.algorithm && !scenario.protocol && !scenario.channels && scenario.root == 0) return;
  try {
    const CollectiveRun opened(scenario, *one.system, catalog);
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw InputError(problem.where.file.empty() ? one.where : problem.where,
                     fmt::format("{}: {}", one.system->info.name, problem.message), problem.hint);
  }
}

}  // namespace ringspan
