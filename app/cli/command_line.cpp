#include "app/cli/command_line.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "sim/base/input_error.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

int run_version(std::span<const std::string> arguments) {
  if (!arguments.empty()) {
    throw InputError("unexpected argument '" + arguments[0] + "'", "'ringspan version' takes none");
  }
  Output("").write("ringspan " + std::string(kVersion) + "\n");
  return kExitDone;
}

bool asks_for_help(std::span<const std::string> arguments) {
  // Behind "--" nothing is an option.
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  return std::any_of(arguments.begin(), end,
                     [](const std::string& word) { return word == "--help" || word == "-h"; });
}

int dispatch(std::span<const std::string> arguments) {
  if (arguments.empty()) {
    throw InputError("no command is given", "'ringspan help' lists the commands");
  }
  const std::string& name = arguments[0];
  const std::span<const std::string> rest = arguments.subspan(1);
  if (name == "help" || name == "--help" || name == "-h") return run_help(rest);
  if (name == "version" || name == "--version") return run_version(rest);
  std::vector<std::string> names = {"help", "version"};
  for (const Command& command : all_commands()) {
    if (command.name == name) {
      if (asks_for_help(rest)) return run_help(arguments.first(1));
      return command.run(rest);
    }
    names.emplace_back(command.name);
  }
  throw InputError("unknown command '" + name + "'",
                   name_hint(name, names) + "; 'ringspan help' lists the commands");
}

// A file opened while a standard stream is closed would take its number, and messages would end up
// in it. Reading from where results should go fails, which is what a closed output must do.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // The lowest free number is the one that is closed.
    ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int out_of_memory() {
  write_message(
      "error: not enough memory for this run\n"
      "hint: use --granularity stream, fewer GPUs, or fewer and smaller sizes");
  return kExitUser;
}

}  // namespace

std::span<const Command> all_commands() {
  static const std::array kCommands = {run_command(),       compare_command(), sweep_command(),
                                       list_command(),      show_command(),    validate_command(),
                                       calibrate_command(), import_command()};
  return kCommands;
}

int run_command_line(std::span<const std::string> arguments) {
  occupy_standard_streams();
  // A closed pipe is an error of write(), not the end of the process.
  ::signal(SIGPIPE, SIG_IGN);
  try {
    return dispatch(arguments);
  } catch (const InputError& error) {
    write_message(error.what());
    return kExitUser;
  } catch (const OutputClosed&) {
    return kExitUser;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {
    // A container larger than the address space: the same cause, asked for at once.
    return out_of_memory();
  } catch (const std::system_error& error) {
    write_message(std::string("error: ") + error.what());
    return kExitUser;
  } catch (const std::exception& error) {
    write_message(std::string("internal error: ") + error.what() +
                  "\nThis is a mistake in ringspan, not in your input: please report it with the "
                  "command line and the files it reads.");
    return kExitOurBug;
  }
}

}  // namespace ringspan
