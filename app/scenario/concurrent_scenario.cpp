#include "app/scenario/concurrent_scenario.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/scenario/collective_run.h"
#include "app/scenario/shared_jobs.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

// A job with its communicator. They point to one another: never moved.
struct Job {
  RunScenario scenario;
  std::unique_ptr<CollectiveRun> run;
};

std::string job_text(const JobSpec& job) {
  const std::string text = fmt::format("{}@{}", collective_name(job.collective), job.rank_text);
  const bool numbered =
      std::all_of(job.name.begin(), job.name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return numbered ? fmt::format("job {} ({})", job.name, text)
                  : fmt::format("job '{}' ({})", job.name, text);
}

class ConcurrentScenarioRun {
 public:
  ConcurrentScenarioRun(const ConcurrentScenario& scenario, const System& system,
                        const Catalog& catalog, const ProgressCallback& progress)
      : scenario_(scenario),
        common_(scenario.common),
        system_(system),
        catalog_(catalog),
        progress_(progress),
        places_(choose_ranks(system, common_.nodes, common_.gpus)),
        transport_(make_transport(system)) {}

  ConcurrentReport run() {
    if (scenario_.observer != nullptr) scenario_.observer->jobs_begin(scenario_.jobs);
    open_jobs();
    describe();
    try {
      run_sizes();
    } catch (const Stopped&) {
      report_.interrupted = true;
    }
    return std::move(report_);
  }

 private:
  void run_sizes() {
    if (report_.own_sizes) {
      run_size(Bytes{0});
      return;
    }
    for (; done_ < common_.sizes.size() && !ended(); ++done_) run_size(common_.sizes[done_]);
  }

  // For what is made once, whatever the size.
  StopCheck stop_check() {
    return StopCheck(
        [this] { return keep_going(report_.own_sizes ? Bytes{0} : common_.sizes.at(done_), 0); });
  }

  void open_jobs() {
    for (const JobSpec& spec : scenario_.jobs) require_ranks(spec);
    for (const JobSpec& spec : scenario_.jobs) jobs_.push_back(open(spec));
    // Jobs share links, whose rates are a profile's.
    const Profile* poorest = &jobs_.front()->run->communicator().profile();
    int capability = capability_of(*jobs_.front());
    bool differ = false;
    for (const auto& job : jobs_) {
      const Profile* const profile = &job->run->communicator().profile();
      differ = differ || profile->name != poorest->name;
      if (capability_of(*job) >= capability) continue;
      capability = capability_of(*job);
      poorest = profile;
    }
    if (!differ || common_.profile) return;
    common_.profile = *poorest;
    report_.warnings.push_back(
        fmt::format("the jobs' GPUs are of several generations: all are timed with profile {}",
                    common_.profile->name));
    jobs_.clear();
    for (const JobSpec& spec : scenario_.jobs) jobs_.push_back(open(spec));
  }

  static int capability_of(const Job& job) {
    return job.run->communicator().gpu_model().compute_capability;
  }

  void require_ranks(const JobSpec& spec) const {
    const auto count = static_cast<std::int32_t>(places_.ranks.size());
    for (const std::int32_t rank : spec.ranks) {
      if (rank < count) continue;
      throw InputError(spec.ranks_at,
                       fmt::format("{} has rank {}, and the run has {} (0 to {})", job_text(spec),
                                   rank, count, count - 1),
                       "--nodes or --gpus take more of the system's GPUs into the run");
    }
  }

  std::unique_ptr<Job> open(const JobSpec& spec) {
    auto job = std::make_unique<Job>();
    job->scenario = common_;
    job->scenario.iterations = 1;  // a job is one call
    job->scenario.collective = spec.collective;
    job->scenario.root = spec.root;
    if (spec.algorithm) job->scenario.algorithm = spec.algorithm;
    if (spec.protocol) job->scenario.protocol = spec.protocol;
    if (spec.channels) job->scenario.channels = spec.channels;
    try {
      job->run = std::make_unique<CollectiveRun>(job->scenario, system_, catalog_, places_of(spec),
                                                 transport_, stop_check());
    } catch (const InputError& error) {
      const InputProblem& problem = error.problems().front();
      throw InputError(spec.where, fmt::format("{}: {}", job_text(spec), problem.message),
                       problem.hint);
    }
    return job;
  }

  RankPlaces places_of(const JobSpec& spec) const {
    RankPlaces places;
    std::set<int> servers;
    for (const std::int32_t rank : spec.ranks) {
      places.ranks.push_back(places_.ranks[static_cast<std::size_t>(rank)]);
      servers.insert(system_.cluster.server_of(places.ranks.back()));
    }
    places.servers = static_cast<int>(servers.size());
    return places;
  }

  void describe() {
    report_.system = system_.info.name;
    report_.system_description = system_.info.description;
    report_.nodes = places_.servers;
    report_.gpus = static_cast<int>(places_.ranks.size());
    report_.profile = jobs_.front()->run->communicator().profile().name;
    report_.nccl = jobs_.front()->run->communicator().profile().nccl;
    report_.seed = common_.seed;
    report_.dtype = common_.dtype;
    report_.network = common_.network;
    report_.own_sizes = std::all_of(scenario_.jobs.begin(), scenario_.jobs.end(),
                                    [](const JobSpec& job) { return job.size.has_value(); });
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const JobSpec& spec = scenario_.jobs[j];
      const Communicator& communicator = jobs_[j]->run->communicator();
      report_.jobs.push_back({spec.name, spec.collective, spec.rank_text, communicator.ranks(),
                              communicator.servers(), communicator.gpu_model().name});
      for (const std::string& way : communicator.left_out()) {
        report_.warnings.push_back(fmt::format("{}: {}", job_text(spec), way));
      }
    }
  }

  bool ended() const { return report_.interrupted || !report_.stalled.empty(); }

  bool keep_going(Bytes size, double fraction) {
    const std::size_t sizes = report_.own_sizes ? 1 : common_.sizes.size();
    if (!progress_ || progress_({done_, sizes, size, fraction})) return true;
    report_.interrupted = true;
    return false;
  }

  void run_size(Bytes size) {
    ConcurrentRun run;
    run.size = size;
    // Ways are weighed as they will be run.
    const bool many = exceeds_chunk(size);
    for (auto& job : jobs_) {
      job->scenario.granularity = many ? Granularity::Stream : common_.granularity;
    }
    std::vector<SizedJob> jobs;
    if (!prepare(size, jobs, run)) return;
    choose_granularity(jobs, run);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (!time_alone(size, j, run.rows[j].row, jobs[j])) return;
    }
    if (!simulate(size, jobs, run)) return;
    for (std::size_t j = 0; j < jobs.size(); ++j) finish(jobs[j], j, run.rows[j]);
    report_.runs.push_back(std::move(run));
  }

  // `stream` is what all jobs together will run at, whatever their ways.
  bool exceeds_chunk(Bytes size) {
    if (common_.granularity) return false;
    std::int64_t slices = 0;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      CollectiveRun& collective = *jobs_[j]->run;
      const Bytes bytes{collective.rounded(scenario_.jobs[j].size.value_or(size)).bytes};
      if (collective.is_idle(bytes.count)) continue;
      std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
      for (const Way& way : collective.communicator().ways()) {
        const Way& shaped = collective.communicator().shaped(way, bytes);
        fewest = std::min(fewest, collective.slices(shaped, collective.cut(shaped, bytes)));
      }
      slices += fewest;
    }
    return slices > chunk_budget(system_.cluster).slices;
  }

  // Every job's way and cut. False: the user stopped.
  bool prepare(Bytes size, std::vector<SizedJob>& jobs, ConcurrentRun& run) {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (!keep_going(size, 0)) return false;
      CollectiveRun& collective = *jobs_[j]->run;
      JobRow entry;
      entry.job = j;
      const RoundedSize rounded = collective.rounded(scenario_.jobs[j].size.value_or(size));
      entry.row.bytes = rounded.bytes;
      entry.row.count = rounded.count;
      SizedJob job{&collective, &scenario_.jobs[j], {}, nullptr, false, {}, {}};
      job.bytes = Bytes{rounded.bytes};
      job.idle = collective.is_idle(rounded.bytes);
      const KeepGoing go_on = [&](double) { return keep_going(size, 0); };
      job.way = job.idle ? &collective.idle_way() : &collective.choose(job.bytes, entry.row, go_on);
      if (!job.idle) {
        job.cut = collective.cut(*job.way, job.bytes);
        entry.row.chunk_bytes = job.cut.chunk_payload;
        entry.row.slice_bytes = job.cut.slice_payload;
        entry.row.loops = job.cut.loops;
      }
      entry.row.algorithm = job.way->algorithm;
      entry.row.protocol = job.way->protocol;
      entry.row.channels = job.way->channels;
      jobs.push_back(job);
      run.rows.push_back(std::move(entry));
    }
    return !report_.interrupted;
  }

  // One for all: they share a network.
  void choose_granularity(const std::vector<SizedJob>& jobs, ConcurrentRun& run) {
    std::int64_t slices = 0, bytes = 0;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (jobs[j].idle) continue;
      slices += jobs_[j]->run->slices(*jobs[j].way, jobs[j].cut);
      bytes += jobs_[j]->run->chunk_bytes(*jobs[j].way);
    }
    const ChunkBudget budget = chunk_budget(system_.cluster);
    const bool affordable = slices <= budget.slices && bytes <= budget.bytes;
    run.granularity =
        common_.granularity.value_or(affordable ? Granularity::Chunk : Granularity::Stream);
    if (run.granularity == Granularity::Chunk) {
      // The jobs' own plans, for their times alone, and those that share links.
      require_memory(2 * bytes, "granularity chunk, all jobs together", "use --granularity stream");
    }
    for (JobRow& row : run.rows) row.row.granularity = run.granularity;
  }

  bool time_alone(Bytes size, std::size_t j, const RunRow& row, SizedJob& job) {
    if (job.idle) return true;
    const KeepGoing go_on = [&](double) { return keep_going(size, 0); };
    const RunResult result = jobs_[j]->run->simulate(*job.way, job.cut, row.granularity, go_on);
    if (result.stalled) {
      report_.stalled =
          fmt::format("{} by itself: {}", job_text(scenario_.jobs[j]), result.waiting);
    }
    job.alone = result.time;
    return !ended() && !result.interrupted;
  }

  bool simulate(Bytes size, const std::vector<SizedJob>& jobs, ConcurrentRun& run) {
    const SharedJobs together(jobs, common_.network, scenario_.observer);
    const KeepGoing go_on = [&](double fraction) { return keep_going(size, fraction); };
    const JobsResult result = together.run(run.granularity, go_on);
    if (result.run.interrupted) return false;
    if (result.run.stalled) {
      report_.stalled = result.run.waiting;
      return false;
    }
    run.time = result.run.time;
    run.operations = result.run.operations;
    run.events = result.run.events;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      run.rows[j].start = result.jobs[j].begin - kTimeZero;
      run.rows[j].end = result.jobs[j].end - kTimeZero;
    }
    together.describe(run.rows);
    return true;
  }

  void finish(const SizedJob& job, std::size_t j, JobRow& entry) const {
    const CollectiveRun& collective = *jobs_[j]->run;
    RunRow& row = entry.row;
    row.time_in_place = row.time = entry.end - entry.start;
    entry.alone = std::max(collective.launch(*job.way, job.cut) + job.alone,
                           collective.copy_alone(*job.way, job.cut, row.bytes));
    collective.fill_rates(row);
  }

  const ConcurrentScenario& scenario_;
  RunScenario common_;  // of the jobs
  const System& system_;
  const Catalog& catalog_;
  const ProgressCallback& progress_;
  RankPlaces places_;
  std::shared_ptr<const Transport> transport_;
  std::vector<std::unique_ptr<Job>> jobs_;
  ConcurrentReport report_;
  std::size_t done_ = 0;  // sizes
};

}  // namespace

ConcurrentReport run_concurrent(const ConcurrentScenario& scenario, const System& system,
                                const Catalog& catalog, const ProgressCallback& progress) {
  return ConcurrentScenarioRun(scenario, system, catalog, progress).run();
}

}  // namespace ringspan
