#pragma once

// What a sub-command is. The table of all of them is in command_line.cpp.

#include <span>
#include <string>
#include <string_view>

#include "app/cli/option_parser.h"

namespace ringspan {

inline constexpr int kExitDone = 0;
inline constexpr int kExitOurBug = 1;
inline constexpr int kExitUser = 2;
inline constexpr int kExitStalled = 3;
inline constexpr int kExitInterrupted = 130;

struct Command {
  std::string_view name;
  std::string_view summary;      // one line
  std::string_view synopsis;     // lines, without "ringspan"
  std::string_view description;  // paragraphs, wrapped
  std::span<const OptionSpec> options;
  std::string_view examples;  // lines
  int (*run)(std::span<const std::string> arguments);
};

Command run_command();
Command list_command();
Command show_command();
Command compare_command();
Command sweep_command();
Command validate_command();
Command calibrate_command();
Command import_command();

// All sub-commands but help and version, in the order of the help text.
std::span<const Command> all_commands();

// The page of one sub-command, and the overview.
std::string help_page(const Command& command);
std::string overview_page();

int run_help(std::span<const std::string> arguments);

}  // namespace ringspan
