#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <tuple>
#include <utility>

#include "sim/base/quote.h"
#include "sim/config/config_node.h"
#include "sim/config/config_state.h"
#include "sim/config/read_input.h"
#include "sim/config/toml_reader.h"

namespace ringspan {

namespace {

bool is_table_array(const ConfigValue& value) {
  return value.kind == ConfigValue::Kind::Array && !value.items.empty() &&
         value.items[0].kind == ConfigValue::Kind::Table;
}

std::vector<std::string> keys_of(const ConfigValue& table) {
  std::vector<std::string> keys;
  for (const ConfigEntry& entry : table.entries) keys.push_back(entry.key);
  return keys;
}

// Walks the tables that were read and collects what nobody asked for.
class UnreadKeys {
 public:
  explicit UnreadKeys(const ConfigDocument::State& state) : state_(state) {}

  void visit(const ConfigValue& table, const std::string& path, bool in_array) {
    for (const ConfigEntry& entry : table.entries) {
      const std::string entry_path = path.empty() ? entry.key : path + "." + entry.key;
      if (!entry.read) {
        report(entry, table, table_label(path, in_array));
      } else if (entry.value.kind == ConfigValue::Kind::Table) {
        visit(entry.value, entry_path, false);
      } else if (is_table_array(entry.value)) {
        for (const ConfigValue& item : entry.value.items) visit(item, entry_path, true);
      }
    }
  }

  std::vector<InputProblem> take() { return std::move(problems_); }

 private:
  void report(const ConfigEntry& entry, const ConfigValue& table, const std::string& label) {
    const bool is_table =
        (entry.value.kind == ConfigValue::Kind::Table && !entry.value.is_inline) ||
        is_table_array(entry.value);
    std::string message =
        fmt::format("unknown {} {}", is_table ? "table" : "key", quote_text(entry.key));
    if (!label.empty()) message += " in " + label;
    std::string hint = name_hint(entry.key, table.asked);
    if (hint.empty()) hint = "remove it: nothing is read here";
    problems_.push_back({state_.position(entry), std::move(message), std::move(hint)});
  }

  const ConfigDocument::State& state_;
  std::vector<InputProblem> problems_;
};

// The steps of a dotted key through the document; errors name "--set KEY".
class OverridePath {
 public:
  OverridePath(ConfigDocument::State& state, std::string_view dotted_key)
      : state_(state), key_(dotted_key) {
    std::size_t begin = 0;
    while (true) {
      const std::size_t dot = dotted_key.find('.', begin);
      segments_.emplace_back(dotted_key.substr(begin, dot - begin));
      if (segments_.back().empty()) {
        fail("has an empty part", "write it as table.key, for example node.link.0.count");
      }
      if (dot == std::string_view::npos) break;
      begin = dot + 1;
    }
  }

  void assign(ConfigValue value) {
    ConfigValue* here = &state_.root;
    for (std::size_t i = 0; i + 1 < segments_.size(); ++i) here = &step(*here, i);
    const std::string& last = segments_.back();
    if (here->kind == ConfigValue::Kind::Array) {
      replace(step(*here, segments_.size() - 1), std::move(value));
      return;
    }
    if (here->kind != ConfigValue::Kind::Table) refuse_leaf(segments_.size() - 2);
    if (ConfigEntry* entry = here->find(last)) {
      replace(entry->value, std::move(value));
      return;
    }
    here->entries.push_back({last, 0, 0, value.origin, false, std::move(value)});
  }

 private:
  [[noreturn]] void fail(const std::string& message, const std::string& hint) const {
    throw InputError({"--set " + key_, 0, 0}, message, hint);
  }

  [[noreturn]] void refuse_leaf(std::size_t index) const {
    fail(fmt::format("{} is a value, it has no keys", quote_text(segments_[index])),
         "name a key of a table");
  }

  ConfigValue& step(ConfigValue& from, std::size_t index) const {
    const std::string& segment = segments_[index];
    if (from.kind == ConfigValue::Kind::Array) return item(from, segment);
    if (from.kind != ConfigValue::Kind::Table) refuse_leaf(index == 0 ? 0 : index - 1);
    if (ConfigEntry* entry = from.find(segment)) return entry->value;
    std::string hint = name_hint(segment, keys_of(from));
    if (hint.empty()) hint = "the table is empty";
    fail(fmt::format("there is no {}", quote_text(segment)), hint);
  }

  ConfigValue& item(ConfigValue& array, const std::string& segment) const {
    std::size_t index = 0;
    const char* end = segment.data() + segment.size();
    const auto [stop, error] = std::from_chars(segment.data(), end, index);
    if (error != std::errc{} || stop != end || index >= array.items.size()) {
      fail(fmt::format("{} is not the number of an entry", quote_text(segment)),
           array.items.empty()
               ? "the list is empty"
               : fmt::format("entries are counted from 0 to {}", array.items.size() - 1));
    }
    return array.items[index];
  }

  void replace(ConfigValue& target, ConfigValue value) const {
    const bool has_keys =
        (target.kind == ConfigValue::Kind::Table && !target.is_inline) || is_table_array(target);
    if (has_keys && value.kind != target.kind) {
      fail("is a table, not a value", "set one of its keys");
    }
    target = std::move(value);
  }

  ConfigDocument::State& state_;
  std::string key_;
  std::vector<std::string> segments_;
};

void mark_origin(ConfigValue& value, std::int32_t origin) {
  value.origin = origin;
  for (ConfigValue& item : value.items) mark_origin(item, origin);
  for (ConfigEntry& entry : value.entries) {
    entry.origin = origin;
    mark_origin(entry.value, origin);
  }
}

}  // namespace

std::string table_label(const std::string& path, bool in_array) {
  if (path.empty()) return {};
  return in_array ? "[[" + path + "]]" : "[" + path + "]";
}

ConfigDocument::ConfigDocument(std::unique_ptr<State> state) : state_(std::move(state)) {}
ConfigDocument::~ConfigDocument() = default;
ConfigDocument::ConfigDocument(ConfigDocument&&) noexcept = default;
ConfigDocument& ConfigDocument::operator=(ConfigDocument&&) noexcept = default;

ConfigDocument ConfigDocument::parse_file(const std::filesystem::path& path) {
  return parse_text(read_input_file(path), path.string());
}

ConfigDocument ConfigDocument::parse_text(std::string_view text, std::string name) {
  auto state = std::make_unique<State>();
  state->root = read_toml(text, name);
  state->name = std::move(name);
  return ConfigDocument(std::move(state));
}

ConfigNode ConfigDocument::root() const {
  return ConfigNode(
      std::make_shared<ConfigNode::Access>(ConfigNode::Access{state_.get(), &state_->root, {}}));
}

void ConfigDocument::set(std::string_view dotted_key, std::string_view value) {
  OverridePath path(*state_, dotted_key);
  ConfigValue parsed;
  if (std::optional<ConfigValue> toml = read_toml_value(value)) {
    parsed = std::move(*toml);
  } else {
    parsed.kind = ConfigValue::Kind::Text;
    parsed.text = value;
  }
  state_->overrides.emplace_back(dotted_key);
  mark_origin(parsed, static_cast<std::int32_t>(state_->overrides.size()));
  path.assign(std::move(parsed));
}

void ConfigDocument::finish() const {
  UnreadKeys unread(*state_);
  unread.visit(state_->root, {}, false);
  std::vector<InputProblem> problems = unread.take();
  if (problems.empty()) return;
  // Tables may be reopened further down ([a], [b], [a.c]): back into the file's order, overrides
  // last.
  std::stable_sort(problems.begin(), problems.end(),
                   [](const InputProblem& a, const InputProblem& b) {
                     const auto key = [](const SourcePosition& where) {
                       return std::tuple(where.line == 0, where.line, where.column);
                     };
                     return key(a.where) < key(b.where);
                   });
  throw InputError(std::move(problems));
}

}  // namespace ringspan
