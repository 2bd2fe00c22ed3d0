#pragma once

// `after` of a job file: names to jobs, without a circle. Internal to parse_job_file().

#include <span>
#include <vector>

#include "app/scenario/job_spec.h"
#include "sim/config/config_node.h"

namespace ringspan {

// Reads the key of every node, which is that of the job of the same number, and fills
// JobSpec::after. Throws InputError: two jobs of one name, an unknown name, a circle.
void order_jobs(std::span<const ConfigNode> nodes, std::span<JobSpec> jobs);

}  // namespace ringspan
