#pragma once

#include <span>
#include <string>

namespace ringspan {

// One replay over MPI, which is initialised. Returns the exit code, on every rank the same. Throws
// MpiError.
int run_replay_session(std::span<const std::string> arguments);

}  // namespace ringspan
