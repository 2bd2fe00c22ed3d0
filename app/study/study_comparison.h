#pragma once

// Designs side by side, as plain data: what `compare` prints in every format, and reports draw.

#include <optional>
#include <string>
#include <vector>

#include "app/study/crossover.h"
#include "app/study/study_plan.h"
#include "app/study/study_point.h"

namespace ringspan {

struct ComparedDesign {
  std::string name;
  std::string system, description;
  int nodes = 0, gpus = 0;  // that take part
  std::string gpu_model, profile, nccl;
  std::vector<StudyOverride> overrides;
  std::vector<BillLine> bill;
  std::optional<DesignCost> cost;  // where the study names a price book
};

// One design at one size of one workload.
struct ComparedCell {
  bool done = false;      // false: interrupted or stalled before
  double seconds = 0;     // of one run of the workload
  double ratio = 1;       // to the first design's time
  double speedup = 1;     // the first design's time over this one's
  double efficiency = 1;  // of scaling: speedup over how many times as many GPUs
  double gpu_hours = 0;
  std::optional<double> cost;        // of one run: cost per hour times hours
  std::optional<double> cost_ratio;  // to the first design's
  PointResult point;  // of a collective or of jobs; of a mix the sums and the largest part's limit
};

struct DesignRow {
  std::int64_t bytes = 0;           // 0: the workload has no single size
  std::vector<ComparedCell> cells;  // by design
};

struct ComparedPart {
  CollectiveKind collective = CollectiveKind::AllReduce;
  double weight = 1;
  std::vector<DesignRow> rows;  // by size
};

struct DesignCrossover {
  std::size_t first = 0, second = 0;  // designs, first < second
  Crossover at;
};

struct ComparedWorkload {
  std::string name;
  WorkloadKind kind = WorkloadKind::Collective;
  std::optional<CollectiveKind> collective;  // of a Collective
  std::vector<DesignRow> rows;               // by size; one for a mix and for known times
  std::vector<ComparedPart> parts;           // of a mix
  std::vector<DesignCrossover> crossovers;
};

struct StudyComparison {
  std::string title;
  std::string file;
  std::string text;  // of the study file, for whoever runs it again
  std::vector<ComparedDesign> designs;
  std::vector<ComparedWorkload> workloads;
  std::vector<std::string> warnings;  // each once
  std::vector<std::string> stalled;
  bool interrupted = false;
};

// `results`: run_study() of the plan's cases.
StudyComparison compare_designs(const Study& study, const StudyPlan& plan,
                                const std::vector<CaseResult>& results);

}  // namespace ringspan
