#pragma once

#include <span>
#include <string>

namespace ringspan {

// Runs one command line (without the program's name) and returns the exit code:
//   0 done; 1 our bug; 2 the user or the machine must change something; 130 after Ctrl-C.
int run_command_line(std::span<const std::string> arguments);

}  // namespace ringspan
