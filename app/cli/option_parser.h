#pragma once

// Options as one table per sub-command, from which both the parser and the help text are made: the
// help cannot forget one.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

struct OptionSpec {
  std::string_view name;   // "--gpus" or "-b"
  std::string_view value;  // "N"; empty for a switch
  std::string_view help;   // lines: what, unit, default
  char letter = '\0';      // a short form beside a long name
  bool repeatable = false;
};

struct ParsedOptions {
  std::vector<std::string> positionals;
  std::map<std::string, std::vector<std::string>, std::less<>> given;  // by OptionSpec::name

  bool has(std::string_view name) const { return given.find(name) != given.end(); }
  std::optional<std::string> value(std::string_view name) const;
  std::vector<std::string> values(std::string_view name) const;
};

// Throws InputError for unknown or repeated options, and for missing values. `command` is named in
// hints ("ringspan help run").
ParsedOptions parse_options(std::string_view command, std::span<const OptionSpec> specs,
                            std::span<const std::string> arguments);

}  // namespace ringspan
