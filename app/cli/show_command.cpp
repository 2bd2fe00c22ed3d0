#include <array>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process.h"
#include "app/cli/run_options.h"
#include "app/report/system_text.h"
#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"
#include "topologies/fabrics/cluster_dot.h"

namespace ringspan {

namespace {

constexpr std::array kOptions = {
    OptionSpec{"--toml", "",
               "Prints the system's file as it is: a start for one's own.\n"
               "Default: off. Example: --toml -o my-server.toml"},
    OptionSpec{"--dot", "",
               "Prints a drawing as Graphviz text. Default: off. Example: --dot -o server.dot"},
    OptionSpec{"--svg", "",
               "Prints a drawing as SVG; needs the program dot (Debian: graphviz).\n"
               "Default: off. Example: --svg -o server.svg"},
    OptionSpec{"--set", "KEY=VALUE",
               "Changes one value of the system's file before it is read, as for 'ringspan run'.\n"
               "Not with --toml. Default: nothing is changed.\n"
               "Example: --set node.peer_to_peer=off",
               '\0', true},
    OptionSpec{"--output", "FILE",
               "Writes there, whole or not at all. Default: standard output.\n"
               "Example: -o server.txt",
               'o'}};

// At most one of the three formats.
std::string chosen_format(const ParsedOptions& options) {
  std::string chosen;
  for (const char* format : {"--toml", "--dot", "--svg"}) {
    if (!options.has(format)) continue;
    if (!chosen.empty()) {
      throw InputError(chosen + " and " + format + " exclude each other", "give one of them");
    }
    chosen = format;
  }
  if (chosen == "--toml" && options.has("--set")) {
    throw InputError("--toml prints the file as it is; --set cannot change it",
                     "leave out --set, and edit what --toml -o FILE writes");
  }
  return chosen;
}

std::string text_of(const std::string& format, const Catalog& catalog, const std::string& name,
                    const std::vector<std::pair<std::string, std::string>>& overrides) {
  if (format == "--toml") return system_file_text(catalog, name);
  const System system = load_system(catalog, name, overrides);
  if (format == "--dot") return export_dot(system.cluster, system.info.name);
  if (format == "--svg") return draw_svg(export_dot(system.cluster, system.info.name));
  return system_text(system);
}

int run(std::span<const std::string> arguments) {
  const ParsedOptions options = parse_options("show", kOptions, arguments);
  if (options.positionals.size() != 1) {
    throw InputError(options.positionals.empty()
                         ? "no system is given"
                         : "unexpected argument '" + options.positionals[1] + "'",
                     "for example: ringspan show dgx-h100");
  }
  const std::string format = chosen_format(options);
  std::vector<std::pair<std::string, std::string>> overrides;
  for (const std::string& text : options.values("--set")) overrides.push_back(read_override(text));
  const Output output(read_output_path(options));
  output.write(text_of(format, builtin_catalog(), options.positionals[0], overrides));
  return kExitDone;
}

}  // namespace

Command show_command() {
  return {
      "show",
      "what a system consists of, and how its GPUs reach each other",
      "show SYSTEM [--toml|--dot|--svg] [--set KEY=VALUE]... [-o FILE]",
      "SYSTEM is a name of the catalogue ('ringspan list systems'), a path to a TOML file, or -\n"
      "for standard input. Prints the devices; the classes of GPU pairs with path, rate,\n"
      "latency and what they share; and the capacity per link, per GPU and per switch. All\n"
      "rates are per direction unless 'both directions' is written.",
      kOptions,
      "ringspan show dgx-h100\n"
      "ringspan show rtx-4090-8x-shm --svg -o server.svg\n"
      "ringspan show dgx-a100 --toml -o my-server.toml\n"
      "ringspan show ./my-server.toml",
      run};
}

}  // namespace ringspan
