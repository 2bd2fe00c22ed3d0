#include "sim/config/config_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/base/quote.h"
#include "sim/config/config_state.h"
#include "sim/config/number_hint.h"

namespace ringspan {

namespace {

using Kind = ConfigValue::Kind;

std::string_view kind_name(const ConfigValue& value) {
  switch (value.kind) {
    case Kind::Text:
      return "text";
    case Kind::Integer:
      return "a whole number";
    case Kind::Number:
      return "a number";
    case Kind::Boolean:
      return "true or false";
    case Kind::Date:
      return "a date or time";
    case Kind::Array:
      return "a list";
    case Kind::Table:
      return "a table";
  }
  return "a value";
}

// Whether a unit behind it would make a quantity of this number.
bool could_be_quantity(const ConfigValue& value) {
  return value.kind == Kind::Integer ? value.integer >= 0
                                     : std::isfinite(value.number) && value.number >= 0;
}

// The spelling of a bare number, for the hint that appends a unit.
std::string bare_number(const ConfigValue& value) {
  return value.kind == Kind::Integer ? fmt::format("{}", value.integer)
                                     : fmt::format("{}", value.number);
}

bool is_bare_number(const ConfigValue& value) {
  return value.kind == Kind::Integer || value.kind == Kind::Number;
}

// "'rate' in [[node.link]]"
std::string key_label(const ConfigNode::Access& access, std::string_view key) {
  const std::string label = table_label(access.path, access.in_array);
  return label.empty() ? quote_text(key) : fmt::format("{} in {}", quote_text(key), label);
}

// Knows a value and how to speak of it. Thin: every getter is one of these.
struct Reader {
  const ConfigNode::Access& access;
  std::string_view key;

  [[noreturn]] void fail(const ConfigValue& value, const std::string& message,
                         const std::string& hint) const {
    throw InputError(access.state->position(value), key_label(access, key) + " " + message, hint);
  }

  // A key near the missing one that nobody asks for is the likelier mistake: report that one.
  [[noreturn]] void fail_missing(std::string_view example) const {
    for (const ConfigEntry& entry : access.table->entries) {
      if (!entry.read && nearest_name(entry.key, {std::string(key)}) == key) {
        throw InputError(access.state->position(entry),
                         fmt::format("unknown key {}, and {} is missing", quote_text(entry.key),
                                     key_label(access, key)),
                         fmt::format("did you mean {}?", quote_text(key)));
      }
    }
    throw InputError(access.state->position(*access.table),
                     fmt::format("missing key {}", key_label(access, key)),
                     fmt::format("add {} = {}", key, example));
  }

  ConfigEntry* find() const {
    std::vector<std::string>& asked = access.table->asked;
    if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.emplace_back(key);
    ConfigEntry* entry = access.table->find(key);
    if (entry != nullptr) entry->read = true;
    return entry;
  }

  ConfigValue& require(std::string_view example) const {
    ConfigEntry* entry = find();
    if (entry == nullptr) fail_missing(example);
    return entry->value;
  }

  const ConfigValue& require(Kind kind, std::string_view wanted, std::string_view example) const {
    const ConfigValue& value = require(example);
    if (value.kind != kind) refuse_kind(value, wanted, example);
    return value;
  }

  [[noreturn]] void refuse_kind(const ConfigValue& value, std::string_view wanted,
                                std::string_view example) const {
    fail(value, fmt::format("must be {}, got {}", wanted, kind_name(value)),
         fmt::format("write {} = {}", key, example));
  }

  // The text of a quantity. A bare number gets the unit it lacks as a hint.
  const std::string& quantity_text(const ConfigValue& value, std::string_view unit) const {
    if (is_bare_number(value)) {
      fail(value, fmt::format("needs a unit, got the bare number {}", bare_number(value)),
           fmt::format("write \"{} {}\"", could_be_quantity(value) ? bare_number(value) : "50",
                       unit));
    }
    if (value.kind != Kind::Text) {
      refuse_kind(value, "a quantity with its unit", fmt::format("\"50 {}\"", unit));
    }
    return value.text;
  }

  // Runs a parser of quantities and adds where its refusal belongs.
  template <typename Parse>
  auto parsed(const ConfigValue& value, Parse parse) const {
    try {
      return parse();
    } catch (const InputError& error) {
      const InputProblem& problem = error.problems().front();
      throw InputError(access.state->position(value),
                       fmt::format("{}: {}", key_label(access, key), problem.message),
                       problem.hint);
    }
  }

  Duration duration(const ConfigValue& value) const {
    const std::string& text = quantity_text(value, "us");
    return parsed(value, [&] { return parse_duration(text); });
  }

  double finite_number(const ConfigValue& value) const {
    if (!is_bare_number(value)) refuse_kind(value, "a number", "0.5");
    const double number =
        value.kind == Kind::Integer ? static_cast<double>(value.integer) : value.number;
    if (!std::isfinite(number)) {
      fail(value, fmt::format("must be a finite number, got {}", number),
           fmt::format("write {} = 0.5", key));
    }
    return number;
  }

  ConfigScalar scalar(const ConfigValue& value, std::string_view example) const {
    const SourcePosition where = access.state->position(value);
    switch (value.kind) {
      case Kind::Text:
        return {value.text, where};
      case Kind::Boolean:
        return {value.boolean ? "true" : "false", where};
      case Kind::Integer:
        return {fmt::format("{}", value.integer), where};
      case Kind::Number:
        return {fmt::format("{}", finite_number(value)), where};
      default:
        refuse_kind(value, "text, a number, or true or false", example);
    }
  }

  const std::vector<ConfigValue>& list(std::string_view example) const {
    return require(Kind::Array, "a list", example).items;
  }
};

void mark_read(ConfigValue& value) {
  for (ConfigValue& item : value.items) mark_read(item);
  for (ConfigEntry& entry : value.entries) {
    entry.read = true;
    mark_read(entry.value);
  }
}

std::string child_path(const ConfigNode::Access& access, std::string_view key) {
  return access.path.empty() ? std::string(key) : fmt::format("{}.{}", access.path, key);
}

}  // namespace

SourcePosition ConfigNode::position() const { return access_->state->position(*access_->table); }

SourcePosition ConfigNode::position_of(std::string_view key) const {
  const ConfigEntry* entry = access_->table->find(key);
  return entry == nullptr ? position() : access_->state->position(entry->value);
}

bool ConfigNode::has(std::string_view key) const { return access_->table->find(key) != nullptr; }

std::vector<std::string> ConfigNode::keys() const {
  std::vector<std::string> keys;
  for (const ConfigEntry& entry : access_->table->entries) keys.push_back(entry.key);
  return keys;
}

std::string ConfigNode::text(std::string_view key) const {
  return Reader{*access_, key}.require(Kind::Text, "text in quotes", "\"...\"").text;
}

std::int64_t ConfigNode::integer(std::string_view key, std::int64_t least,
                                 std::int64_t most) const {
  const Reader reader{*access_, key};
  const ConfigValue& value = reader.require(whole_example(1, least, most));
  if (value.kind != Kind::Integer) {
    const std::int64_t meant = value.kind == Kind::Text ? whole_in_quotes(value.text) : 1;
    reader.refuse_kind(value, "a whole number", whole_example(meant, least, most));
  }
  if (value.integer < least || value.integer > most) {
    reader.fail(value, fmt::format("is out of range: {}", value.integer), range_hint(least, most));
  }
  return value.integer;
}

double ConfigNode::number(std::string_view key, double least, double most) const {
  const Reader reader{*access_, key};
  const ConfigValue& value = reader.require("0.5");
  const double number = reader.finite_number(value);
  if (number < least || number > most) {
    reader.fail(value, fmt::format("is out of range: {}", number), range_hint(least, most));
  }
  return number;
}

bool ConfigNode::boolean(std::string_view key) const {
  return Reader{*access_, key}.require(Kind::Boolean, "true or false", "true").boolean;
}

Bandwidth ConfigNode::bandwidth(std::string_view key) const {
  return parsed_bandwidth(key).per_direction;
}

ParsedBandwidth ConfigNode::parsed_bandwidth(std::string_view key) const {
  const Reader reader{*access_, key};
  const ConfigValue& value = reader.require("\"50 GB/s\"");
  const std::string& text = reader.quantity_text(value, "GB/s");
  const ParsedBandwidth rate = reader.parsed(value, [&] { return parse_bandwidth(text); });
  if (rate.per_direction.bits_per_second <= 0) {
    reader.fail(value, "must be above zero", "remove the link instead of giving it no rate");
  }
  return rate;
}

std::int64_t ConfigNode::transfers(std::string_view key) const {
  const Reader reader{*access_, key};
  const ConfigValue& value = reader.require("\"32 GT/s\"");
  const std::string& text = reader.quantity_text(value, "GT/s");
  const std::int64_t transfers = reader.parsed(value, [&] { return parse_transfers(text); });
  if (transfers <= 0) reader.fail(value, "must be above zero", "write \"32 GT/s\"");
  return transfers;
}

Duration ConfigNode::duration(std::string_view key) const {
  const Reader reader{*access_, key};
  return reader.duration(reader.require("\"1.2 us\""));
}

std::optional<Bandwidth> ConfigNode::find_bandwidth(std::string_view key) const {
  if (Reader{*access_, key}.find() == nullptr) return std::nullopt;
  return bandwidth(key);
}

std::optional<Duration> ConfigNode::find_duration(std::string_view key) const {
  if (Reader{*access_, key}.find() == nullptr) return std::nullopt;
  return duration(key);
}

Bytes ConfigNode::bytes(std::string_view key) const {
  const Reader reader{*access_, key};
  const ConfigValue& value = reader.require("\"80 GiB\"");
  if (value.kind == Kind::Integer) {
    if (value.integer < 0) reader.fail(value, "must not be negative", "write a size from 0");
    return Bytes{value.integer};
  }
  const std::string& text = reader.quantity_text(value, "GiB");
  return reader.parsed(value, [&] { return parse_size(text); }).size;
}

std::vector<std::string> ConfigNode::texts(std::string_view key, std::string_view example) const {
  const Reader reader{*access_, key};
  std::vector<std::string> texts;
  for (const ConfigValue& item : reader.list(example)) {
    if (item.kind != Kind::Text) reader.refuse_kind(item, "a list of texts", example);
    texts.push_back(item.text);
  }
  return texts;
}

std::vector<double> ConfigNode::numbers(std::string_view key, std::string_view example) const {
  const Reader reader{*access_, key};
  std::vector<double> numbers;
  for (const ConfigValue& item : reader.list(example)) {
    if (!is_bare_number(item)) reader.refuse_kind(item, "a list of numbers", example);
    numbers.push_back(reader.finite_number(item));
  }
  return numbers;
}

std::vector<Duration> ConfigNode::durations(std::string_view key) const {
  const Reader reader{*access_, key};
  std::vector<Duration> durations;
  for (const ConfigValue& item : reader.list("[\"1 us\", \"2 us\"]")) {
    durations.push_back(reader.duration(item));
  }
  return durations;
}

ConfigScalar ConfigNode::scalar(std::string_view key, std::string_view example) const {
  const Reader reader{*access_, key};
  return reader.scalar(reader.require(example), example);
}

std::vector<ConfigScalar> ConfigNode::scalars(std::string_view key,
                                              std::string_view example) const {
  const Reader reader{*access_, key};
  std::vector<ConfigScalar> scalars;
  for (const ConfigValue& item : reader.list(example)) {
    scalars.push_back(reader.scalar(item, example));
  }
  return scalars;
}

bool ConfigNode::is_list(std::string_view key) const {
  const ConfigEntry* entry = access_->table->find(key);
  return entry != nullptr && entry->value.kind == Kind::Array;
}

bool ConfigNode::is_table(std::string_view key) const {
  const ConfigEntry* entry = access_->table->find(key);
  return entry != nullptr && entry->value.kind == Kind::Table;
}

std::string ConfigNode::choice(std::string_view key,
                               const std::vector<std::string>& choices) const {
  const Reader reader{*access_, key};
  const std::string example =
      choices.empty() ? std::string("\"...\"") : fmt::format("\"{}\"", choices.front());
  const ConfigValue& value = reader.require(Kind::Text, "text in quotes", example);
  if (std::find(choices.begin(), choices.end(), value.text) == choices.end()) {
    reader.fail(value, fmt::format("cannot be {}", quote_text(value.text)),
                name_hint(value.text, choices));
  }
  return value.text;
}

ConfigNode ConfigNode::child(std::string_view key) const {
  if (std::optional<ConfigNode> found = find_child(key)) return *found;
  Reader{*access_, key}.fail_missing(
      fmt::format("{{ ... }} or a table [{}]", child_path(*access_, key)));
}

std::optional<ConfigNode> ConfigNode::find_child(std::string_view key) const {
  const Reader reader{*access_, key};
  ConfigEntry* entry = reader.find();
  if (entry == nullptr) return std::nullopt;
  if (entry->value.kind != Kind::Table) {
    reader.fail(entry->value, fmt::format("must be a table, got {}", kind_name(entry->value)),
                fmt::format("write it once, as [{}]", child_path(*access_, key)));
  }
  return ConfigNode(std::make_shared<Access>(
      Access{access_->state, &entry->value, child_path(*access_, key), false}));
}

std::vector<ConfigNode> ConfigNode::children(std::string_view key) const {
  const Reader reader{*access_, key};
  ConfigEntry* entry = reader.find();
  if (entry == nullptr) return {};
  const std::string path = child_path(*access_, key);
  const std::string hint = fmt::format("write each one as [[{}]]", path);
  if (entry->value.kind != Kind::Array) {
    reader.fail(entry->value,
                fmt::format("must be a list of tables, got {}", kind_name(entry->value)), hint);
  }
  std::vector<ConfigNode> nodes;
  for (ConfigValue& item : entry->value.items) {
    if (item.kind != Kind::Table) {
      reader.fail(item, fmt::format("must be a list of tables, got {}", kind_name(item)), hint);
    }
    nodes.push_back(
        ConfigNode(std::make_shared<Access>(Access{access_->state, &item, path, true})));
  }
  return nodes;
}

void ConfigNode::skip(std::string_view key) const {
  if (ConfigEntry* entry = Reader{*access_, key}.find()) mark_read(entry->value);
}

void ConfigNode::fail(std::string_view key, std::string message, std::string hint) const {
  throw InputError(position_of(key), std::move(message), std::move(hint));
}

std::string ConfigNode::text_or(std::string_view key, std::string fallback) const {
  return Reader{*access_, key}.find() == nullptr ? std::move(fallback) : text(key);
}

std::int64_t ConfigNode::integer_or(std::string_view key, std::int64_t fallback, std::int64_t least,
                                    std::int64_t most) const {
  return Reader{*access_, key}.find() == nullptr ? fallback : integer(key, least, most);
}

double ConfigNode::number_or(std::string_view key, double fallback, double least,
                             double most) const {
  return Reader{*access_, key}.find() == nullptr ? fallback : number(key, least, most);
}

bool ConfigNode::boolean_or(std::string_view key, bool fallback) const {
  return Reader{*access_, key}.find() == nullptr ? fallback : boolean(key);
}

}  // namespace ringspan
