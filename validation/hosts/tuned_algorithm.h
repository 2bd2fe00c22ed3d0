#pragma once

// Our algorithms in Open MPI's `tuned` component, which takes one by number where
// coll_tuned_use_dynamic_rules is set before MPI starts. A number holds for communicators made
// after it was set. Numbers: `ompi_info --param coll tuned --level 9`, Open MPI 4.1.

#include <string>
#include <string_view>

#include "models/collectives/collective.h"

namespace ringspan {

struct TunedAlgorithm {
  const char* parameter = nullptr;  // "coll_tuned_allreduce_algorithm"; nullptr: nothing to set
  int number = 0;                   // 0: Open MPI chooses
  const char* name = "";            // Open MPI's own
};

// Throws InputError where Open MPI has no such algorithm, with those that it has.
TunedAlgorithm tuned_algorithm(CollectiveKind kind, std::string_view algorithm);

// Open MPI's own choice for the kind.
TunedAlgorithm tuned_free_choice(CollectiveKind kind);

// Throws InputError where this MPI has no such parameter.
void set_tuned_algorithm(const TunedAlgorithm& algorithm);

}  // namespace ringspan
