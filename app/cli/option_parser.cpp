#include "app/cli/option_parser.h"

#include <boost/program_options.hpp>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

namespace po = boost::program_options;

// The library's own notation: "gpus", ",b" for a letter alone, "output,o" for both.
std::string notation(const OptionSpec& spec) {
  if (!spec.name.starts_with("--")) return "," + std::string(spec.name.substr(1));
  std::string text(spec.name.substr(2));
  if (spec.letter != '\0') text += std::string(",") + spec.letter;
  return text;
}

po::options_description described(std::span<const OptionSpec> specs) {
  po::options_description description;
  for (const OptionSpec& spec : specs) {
    if (spec.value.empty()) {
      description.add_options()(notation(spec).c_str(), "");
    } else {
      description.add_options()(notation(spec).c_str(), po::value<std::string>(), "");
    }
  }
  return description;
}

const OptionSpec& spec_of(std::span<const OptionSpec> specs, const std::string& key) {
  for (const OptionSpec& spec : specs) {
    if (spec.name == key || spec.name == "--" + key) return spec;
  }
  throw std::logic_error("an option was parsed that is not described: " + key);
}

std::string see_help(std::string_view command) {
  return "'ringspan help " + std::string(command) + "' lists the options";
}

[[noreturn]] void refuse_unknown(std::string_view command, std::span<const OptionSpec> specs,
                                 const std::string& name) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : specs) names.emplace_back(spec.name);
  const std::string nearest = name.starts_with("--") ? nearest_name(name, names) : std::string{};
  throw InputError("unknown option '" + name + "' of 'ringspan " + std::string(command) + "'",
                   (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + see_help(command));
}

// The library writes "--b" where it means "-b".
std::string with_short_dashes(std::string message) {
  constexpr std::string_view kDashes = "'--";
  for (std::size_t at = message.find(kDashes); at != std::string::npos;
       at = message.find(kDashes, at + 1)) {
    if (message.size() > at + 4 && message[at + 4] == '\'') message.erase(at + 1, 1);
  }
  return message;
}

std::vector<po::option> parsed(std::string_view command, std::span<const OptionSpec> specs,
                               std::span<const std::string> arguments) {
  using namespace po::command_line_style;
  // Guessing from a prefix would make every new option break someone's script.
  constexpr int kStyle = unix_style & ~allow_guessing;
  const po::options_description description = described(specs);
  try {
    return po::command_line_parser({arguments.begin(), arguments.end()})
        .options(description)
        .style(kStyle)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    refuse_unknown(command, specs, error.get_option_name());
  } catch (const po::error& error) {
    throw InputError(with_short_dashes(error.what()), see_help(command));
  }
}

}  // namespace

std::optional<std::string> ParsedOptions::value(std::string_view name) const {
  const auto found = given.find(name);
  if (found == given.end()) return std::nullopt;
  return found->second.front();
}

std::vector<std::string> ParsedOptions::values(std::string_view name) const {
  const auto found = given.find(name);
  return found == given.end() ? std::vector<std::string>{} : found->second;
}

ParsedOptions parse_options(std::string_view command, std::span<const OptionSpec> specs,
                            std::span<const std::string> arguments) {
  ParsedOptions result;
  for (const po::option& option : parsed(command, specs, arguments)) {
    if (option.position_key >= 0) {
      result.positionals.insert(result.positionals.end(), option.value.begin(), option.value.end());
      continue;
    }
    const OptionSpec& spec = spec_of(specs, option.string_key);
    std::vector<std::string>& values = result.given[std::string(spec.name)];
    if (!spec.repeatable && !values.empty()) {
      throw InputError("option '" + std::string(spec.name) + "' is given twice",
                       "give it once; " + see_help(command));
    }
    values.push_back(option.value.empty() ? std::string{} : option.value.front());
  }
  return result;
}

}  // namespace ringspan
