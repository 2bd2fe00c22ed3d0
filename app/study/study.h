#pragma once

// A design study, as plain data: which designs, doing what. Code flow:
//   read_study()         study_reading.h      a TOML file becomes a Study (docs/studies.md)
//   plan_study()         study_plan.h         systems are read and checked; every question is a
//   case run_point()          study_point.h        one question with one size -> PointResult, and
//   no more run_study()          study_run.h          all of them on a few threads, in any order
//   compare_designs()    study_comparison.h   side by side: ratios, crossovers, bills, costs
//   plan_sweep()         sweep_plan.h         all points of a sweep, for `sweep`
// Writers are in app/report.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scenario/job_spec.h"
#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"

namespace ringspan {

// A key of the system's file and its value, as --set takes them.
struct StudyOverride {
  std::string key, value;
  SourcePosition where;
};

struct StudyDesign {
  std::string name;
  SourcePosition where;  // of its table
  std::string system;    // catalogue name, or a path as the command would take it
  SourcePosition system_at;
  std::vector<StudyOverride> overrides;
  std::optional<int> nodes, gpus;
  SourcePosition size_at;               // of `nodes`, else of `gpus`
  std::string placement_text;           // as written
  std::vector<std::int32_t> placement;  // which of its GPUs are the ranks; empty: the first ones
  SourcePosition placement_at;
  std::optional<std::string> price_book;  // a name, or a path as the command would take it
  SourcePosition price_book_at;
  std::optional<std::string> profile;  // the same
  SourcePosition profile_at;
  std::string nccl;  // empty: the newest known
  std::uint64_t seed = 0;
};

// A collective with its sizes, and how often it is done.
struct WorkloadPart {
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::vector<Bytes> sizes;  // ascending; one in a mix
  double weight = 1;         // of a mix: times per run of the workload
  std::optional<std::string> algorithm;
  std::optional<Protocol> protocol;
  std::optional<int> channels;
  std::string dtype = "float";
  int root = 0;
  std::optional<Granularity> granularity;
  NetworkKind network = NetworkKind::Fluid;
  LaunchMode launch = LaunchMode::Processes;
  SourcePosition where;
};

// How long a whole run takes, known from elsewhere.
struct KnownTime {
  std::size_t design = 0;
  double seconds = 0;  // a Duration would end at 106 days
};

enum class WorkloadKind {
  Collective,  // one part, each size by itself
  Mix,         // several parts, one after the other, so often as they weigh
  Jobs,        // several collectives at once
  Known        // times that are given
};

struct StudyWorkload {
  std::string name;
  SourcePosition where;
  WorkloadKind kind = WorkloadKind::Collective;
  std::vector<WorkloadPart> parts;  // Jobs: one, for what the jobs have in common
  std::vector<JobSpec> jobs;
  std::vector<KnownTime> times;  // one for each design
};

// One key that takes several values.
struct SweepAxis {
  std::string key;  // of the run ("nodes", "size") or, with a dot in it, of the system's file
  std::vector<std::string> values;
  SourcePosition where;                   // of the axis
  std::vector<SourcePosition> values_at;  // one each, or that of the range
};

struct Sweep {
  bool zipped = false;  // first with first; else every combination
  std::vector<SweepAxis> axes;
};

enum class EqualQuantity { Gpus, Cost, Power };

// What designs are made equal in.
struct StudyConstraint {
  EqualQuantity equal = EqualQuantity::Gpus;
  std::optional<int> gpus;     // what is aimed at; absent: the first design's figure
  std::optional<double> cost;  // per hour
  std::string currency;        // of `cost`
  std::optional<double> watts;
  SourcePosition where;
};

struct Study {
  std::string file;  // as the user named it
  std::string title;
  std::vector<StudyDesign> designs;      // at least one
  std::vector<StudyWorkload> workloads;  // at least one
  std::optional<Sweep> sweep;
  std::optional<StudyConstraint> constraint;
  std::string text;  // the file itself, for reports and for telling studies apart
};

}  // namespace ringspan
