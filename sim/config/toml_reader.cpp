// toml++ 3.3 asserts on texts like "[[[[" that it goes on to refuse properly, and with NDEBUG it
// tells the optimiser that they cannot be. Neither may happen on user input.
#ifdef NDEBUG
#undef NDEBUG
#endif
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "sim/config/toml_reader.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/config/toml_guard.h"

namespace ringspan {

namespace {

void set_position(ConfigValue& value, const toml::node& node) {
  value.line = static_cast<std::int32_t>(node.source().begin.line);
  value.column = static_cast<std::int32_t>(node.source().begin.column);
}

ConfigValue convert(const toml::node& node);

ConfigValue convert_table(const toml::table& table) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::Table;
  value.is_inline = table.is_inline();
  for (const auto& [key, node] : table) {
    const toml::source_position& begin = key.source().begin;
    value.entries.push_back({std::string(key.str()), static_cast<std::int32_t>(begin.line),
                             static_cast<std::int32_t>(begin.column), 0, false, convert(node)});
  }
  // toml++ keeps tables sorted by key; messages follow the file.
  std::stable_sort(value.entries.begin(), value.entries.end(),
                   [](const ConfigEntry& a, const ConfigEntry& b) {
                     return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                   });
  return value;
}

ConfigValue convert_leaf(const toml::node& node) {
  ConfigValue value;
  if (const auto* text = node.as_string()) {
    value.kind = ConfigValue::Kind::Text;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = ConfigValue::Kind::Integer;
    value.integer = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    value.kind = ConfigValue::Kind::Number;
    value.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = ConfigValue::Kind::Boolean;
    value.boolean = boolean->get();
  } else {
    value.kind = ConfigValue::Kind::Date;
  }
  return value;
}

// Depth is bounded by guard_toml().
ConfigValue convert(const toml::node& node) {
  ConfigValue value;
  if (const toml::table* table = node.as_table()) {
    value = convert_table(*table);
  } else if (const toml::array* array = node.as_array()) {
    value.kind = ConfigValue::Kind::Array;
    for (const toml::node& item : *array) value.items.push_back(convert(item));
  } else {
    value = convert_leaf(node);
  }
  set_position(value, node);
  return value;
}

std::string_view line_of(std::string_view text, std::size_t line) {
  for (std::size_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

// The commonest slip is a quantity or a name without quotes.
std::string syntax_hint(std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals != std::string_view::npos) {
    const std::size_t value = line.find_first_not_of(" \t", equals + 1);
    if (value == std::string_view::npos) return "write a value after '='";
    if (std::string_view("\"'[{#").find(line[value]) == std::string_view::npos) {
      return "text and quantities stand in quotes, for example rate = \"50 GB/s\"";
    }
  }
  return "the file must be TOML: key = value lines under [table] headers";
}

// UTF-16, Latin-1 and binary files: what the line says is beside the point.
bool is_other_than_utf8(std::string_view text, std::string_view description) {
  return text.find('\0') != std::string_view::npos ||
         description.find("utf-8") != std::string_view::npos;
}

}  // namespace

ConfigValue read_toml(std::string_view text, const std::string& name) {
  guard_toml(text, {name, 0, 0});
  try {
    ConfigValue root = convert(toml::parse(text, name));
    root.line = 1;
    root.column = 1;
    return root;
  } catch (const toml::parse_error& error) {
    const toml::source_position& begin = error.source().begin;
    throw InputError({name, static_cast<int>(begin.line), static_cast<int>(begin.column)},
                     std::string(error.description()),
                     is_other_than_utf8(text, error.description())
                         ? "the file must be text in UTF-8: save it as such"
                         : syntax_hint(line_of(text, begin.line)));
  }
}

std::optional<ConfigValue> read_toml_value(std::string_view text) {
  try {
    ConfigValue root = read_toml("value = " + std::string(text), "value");
    // "1\nother = 2" would be two keys.
    if (root.entries.size() != 1 || text.find('\n') != std::string_view::npos) return {};
    ConfigValue value = std::move(root.entries[0].value);
    if (value.kind == ConfigValue::Kind::Date) return {};
    return value;
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace ringspan
