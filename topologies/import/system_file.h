#pragma once

#include <string>
#include <vector>

#include "topologies/import/server_plan.h"

namespace ringspan {

// The plan as a system file (docs/formats.md), with the notes as comments. `source`: what it was
// made from, for the description.
std::string system_file_text(const ServerPlan& plan, const std::string& name,
                             const std::string& source, const std::vector<std::string>& notes);

}  // namespace ringspan
