#pragma once

// The files that `ringspan run` writes beside its results.

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "app/cli/option_parser.h"
#include "app/scenario/job_spec.h"
#include "models/collectives/collective.h"

namespace ringspan {

// Of --trace, for a run of so many sizes. Throws InputError.
std::optional<std::string> read_trace_path(const ParsedOptions& options, std::size_t sizes);

// Of --emit-tuner, for a run of this collective. Throws InputError.
std::optional<std::string> read_tuner_path(const ParsedOptions& options, CollectiveKind kind);

// Of --emit-plan, for a run of these jobs, or of none. Throws InputError.
std::optional<std::string> read_plan_path(const ParsedOptions& options,
                                          std::span<const JobSpec> jobs);

}  // namespace ringspan
