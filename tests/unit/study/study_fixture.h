#pragma once

#include <string>

#include "app/study/study_comparison.h"
#include "app/study/study_plan.h"
#include "app/study/study_reading.h"
#include "app/study/study_run.h"

namespace ringspan {

// "s.toml:3:7: error: ..." with its hint, or "" when the study is read.
inline std::string study_refusal(const std::string& text) {
  try {
    parse_study(text, "s.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The same with its systems read too.
inline std::string plan_refusal(const std::string& text) {
  try {
    plan_study(parse_study(text, "s.toml"), builtin_catalog());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline StudyComparison compared(const std::string& text, int threads = 1) {
  const Catalog catalog = builtin_catalog();
  const Study study = parse_study(text, "s.toml");
  const StudyPlan plan = plan_study(study, catalog);
  return compare_designs(study, plan, run_study(plan.cases, catalog, threads));
}

// Two servers of DGX A100, and one.
inline const std::string kTwoDesigns =
    "title = \"t\"\n"
    "[[design]]\nname = \"one\"\nsystem = \"dgx-a100\"\n"
    "[[design]]\nname = \"two\"\nsystem = \"dgx-a100\"\nnodes = 2\n";

inline const std::string kAllReduce =
    "[[workload]]\ncollective = \"all_reduce\"\nsizes = [\"1M\", \"64M\"]\n";

}  // namespace ringspan
