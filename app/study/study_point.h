#pragma once

// One question of a study and its answer. A StudyCase is everything but the size; a point is a case
// with one size. run_point() knows nothing of other points, threads or files: same case, same
// result, wherever it is run.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/study/study.h"
#include "topologies/builders/system.h"

namespace ringspan {

struct StudyCase {
  std::size_t design = 0, workload = 0, part = 0;  // of Study; a Collective's part is 0
  std::vector<std::string> axis_values;            // of Sweep::axes, in their order
  std::shared_ptr<const System> system;
  RunScenario scenario;       // without observer; its sizes are the case's points
  std::vector<JobSpec> jobs;  // several at once; empty: scenario.collective by itself
  SourcePosition where;       // for messages: what asks for it
};

struct TimeInterval {
  double low_us = 0, high_us = 0;  // 80 of 100 measured times are expected within
};

// One of several collectives at once.
struct JobResult {
  std::string name;
  Duration time{}, alone{};
  double busbw_gbs = 0;
};

struct PointResult {
  std::int64_t bytes = 0;  // nccl-tests' size, as rounded; 0 where jobs have sizes of their own
  Duration time{};         // out of place; of jobs, until the last has ended
  double algbw_gbs = 0, busbw_gbs = 0;  // 0 for jobs
  std::string algorithm;                // empty for jobs, as what follows
  Protocol protocol = Protocol::Simple;
  int channels = 0;
  Granularity granularity = Granularity::Chunk;
  std::string bottleneck;                // what limits it: a resource's name, or "latency"
  std::string link_class;                // of that resource; for "latency" that of the busiest one
  double utilisation = 0;                // of the same, 0..1
  Duration lower_bound{};                // no algorithm on this fabric can be faster; zero for jobs
  std::optional<TimeInterval> interval;  // absent: no fit has seen anything like it
  bool extrapolated = true;
  std::vector<JobResult> jobs;
};

struct CaseResult {
  int nodes = 0, gpus = 0;  // that take part
  std::string gpu_model, profile, nccl;
  std::vector<PointResult> points;  // by size; fewer when it was interrupted or stalled
  std::vector<std::string> warnings;
  bool interrupted = false;
  std::string stalled;  // who waits for what
};

// All sizes of a case. Asks `go_on` now and then: false ends it with what is done. Throws
// InputError, at the case's place.
CaseResult run_case(const StudyCase& one, const Catalog& catalog,
                    const std::function<bool()>& go_on = {});

// The same for one of its sizes: exactly that point of run_case().
CaseResult run_point(const StudyCase& one, Bytes size, const Catalog& catalog);

}  // namespace ringspan
