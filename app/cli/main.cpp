// ringspan: the command. Code flow:
//   main.cpp            arguments to run_command_line()
//   command_line.cpp    which sub-command; exceptions to messages and exit codes
//   *_command.cpp       one sub-command each: options, one call of the library, output
//   option_parser.cpp   the only place that knows Boost.Program_options

#include <string>
#include <vector>

#include "app/cli/command_line.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return ringspan::run_command_line(arguments);
}
