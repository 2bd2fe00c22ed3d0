#pragma once

// `ringspan run --concurrent`: runs the jobs, writes the results, gives the exit code.

#include "app/cli/output.h"
#include "app/cli/run_options.h"

namespace ringspan {

int run_jobs(const RunRequest& request, const System& system, const Catalog& catalog,
             const Output& output);

}  // namespace ringspan
