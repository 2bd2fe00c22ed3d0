#include <fmt/format.h>

#include <iterator>

#include "app/cli/command.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

constexpr std::string_view kExitStatus =
    "  0    done\n"
    "  1    an error of ringspan itself: please report it\n"
    "  2    something must be changed: an option, a file, the disk, the memory\n"
    "  3    the run stalled, and it says who waits for what; or errors are out of tolerance\n"
    "  130  ended by Ctrl-C; what was done is printed\n";

void append_indented(std::string& text, std::string_view lines, std::string_view indent) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    if (!line.empty()) text += indent;
    text += line;
    text += '\n';
    if (end == std::string_view::npos) return;
    lines.remove_prefix(end + 1);
  }
}

void append_option(std::string& text, const OptionSpec& option) {
  text += "  ";
  text += option.name;
  if (option.letter != '\0') text += std::string(", -") + option.letter;
  if (!option.value.empty()) {
    text += ' ';
    text += option.value;
  }
  text += '\n';
  append_indented(text, option.help, "      ");
}

}  // namespace

std::string help_page(const Command& command) {
  std::string text = fmt::format("ringspan {} - {}\n\nUsage:\n", command.name, command.summary);
  append_indented(text, command.synopsis, "  ringspan ");
  text += '\n';
  append_indented(text, command.description, "");
  text += "\nOptions:\n";
  for (const OptionSpec& option : command.options) append_option(text, option);
  text += "  --help, -h\n      This page.\n";
  text += "\nExamples:\n";
  append_indented(text, command.examples, "  ");
  text += "\nExit status:\n";
  text += kExitStatus;
  return text;
}

std::string overview_page() {
  std::string text = fmt::format(
      "ringspan {} - how long GPU collectives take on a given machine, and what limits them\n\n"
      "Usage:\n  ringspan COMMAND [ARGUMENTS]\n\nCommands:\n",
      kVersion);
  for (const Command& command : all_commands()) {
    fmt::format_to(std::back_inserter(text), "  {:<9} {}\n", command.name, command.summary);
  }
  text +=
      "  help      this page, or the page of one command: ringspan help run\n"
      "  version   the version; also --version\n"
      "\nExample: all_reduce over the eight GPUs of a DGX H100, from 8 bytes to 8 GiB\n"
      "  ringspan run dgx-h100 all_reduce -b 8 -e 8G -f 2\n"
      "\nResults go to standard output, everything else to standard error.\n"
      "\nExit status:\n";
  text += kExitStatus;
  return text;
}

}  // namespace ringspan
