#pragma once

// Internal to the reader of studies: a table of the file each. All throw InputError.

#include <string>
#include <vector>

#include "app/study/study.h"
#include "sim/config/config_node.h"

namespace ringspan {

// What the top level says for designs that say nothing.
struct DesignDefaults {
  std::optional<std::string> price_book, profile;
  SourcePosition price_book_at, profile_at;
  std::string nccl;
  std::uint64_t seed = 0;
};

DesignDefaults read_design_defaults(const ConfigNode& root, const std::string& folder);
std::vector<StudyDesign> read_designs(const ConfigNode& root, const DesignDefaults& defaults,
                                      const std::string& folder);
std::vector<StudyWorkload> read_workloads(const ConfigNode& root,
                                          const std::vector<StudyDesign>& designs,
                                          const std::string& folder);
Sweep read_sweep(const ConfigNode& table);
StudyConstraint read_constraint(const ConfigNode& table);

// A name, or, where it is one of a file, the path to it from where the program runs.
std::string located(const std::string& folder, const std::string& name_or_path);
// One line of text at `name`, not one of `taken`.
std::string read_unique_name(const ConfigNode& table, std::string_view what,
                             const std::vector<std::string>& taken, const std::string& fallback);

// At `sizes`: a size, a list of them, or { from, to, factor }. Ascending, each once.
std::vector<Bytes> read_study_sizes(const ConfigNode& table);
// The same at another key, one size only.
Bytes read_study_size(const ConfigNode& table, std::string_view key);
// The number of a range { from, to, step } or { from, to, factor }, each with `unit` behind it.
std::vector<std::string> read_number_range(const ConfigNode& range);

}  // namespace ringspan
