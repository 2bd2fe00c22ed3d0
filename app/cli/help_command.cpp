#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "sim/base/input_error.h"

namespace ringspan {

int run_help(std::span<const std::string> arguments) {
  if (arguments.size() > 1) {
    throw InputError("unexpected argument '" + arguments[1] + "'",
                     "'ringspan help' takes the name of one command");
  }
  if (arguments.empty() || arguments[0] == "help" || arguments[0] == "version") {
    Output("").write(overview_page());
    return kExitDone;
  }
  std::vector<std::string> names;
  for (const Command& command : all_commands()) {
    if (command.name == arguments[0]) {
      Output("").write(help_page(command));
      return kExitDone;
    }
    names.emplace_back(command.name);
  }
  throw InputError("unknown command '" + arguments[0] + "'", name_hint(arguments[0], names));
}

}  // namespace ringspan
