#pragma once

// Typed, unit-aware reading of a TOML file with positions. Code flow:
//   ConfigDocument::parse_file / parse_text    syntax errors with line and column
//   document.set(key, value)                   overrides, before reading
//   root()                                     a ConfigNode
//   node.bandwidth("rate"), node.children("link"), ...
//                                              typed getters; wrong type or unit: InputError
//   document.finish()                          reports ALL keys nobody read, in file order
//
// Every InputError carries file:line:col and a hint. Quantities are strings with a unit; a bare
// number where a quantity is expected is refused with the unit to append. Counts and ratios are
// bare.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/input_error.h"
#include "sim/base/quantity.h"
#include "sim/base/units.h"

namespace ringspan {

class ConfigDocument;

// A value of any simple kind.
struct ConfigScalar {
  std::string text;  // without quotes; numbers as they are written shortest
  SourcePosition where;
};

// A table of the document. Cheap to copy; valid while its document lives.
class ConfigNode {
 public:
  SourcePosition position() const;                         // where the table begins
  SourcePosition position_of(std::string_view key) const;  // where the key's value stands
  bool has(std::string_view key) const;                    // does not count as reading it
  std::vector<std::string> keys() const;                   // in file order

  // Required values: absent -> InputError naming the table and the key.
  std::string text(std::string_view key) const;
  std::int64_t integer(std::string_view key, std::int64_t least, std::int64_t most) const;
  double number(std::string_view key, double least, double most) const;  // finite; integers allowed
  bool boolean(std::string_view key) const;
  Bandwidth bandwidth(std::string_view key) const;  // positive
  // The same, and whether "bidir" was written, for readers that say so in a note.
  ParsedBandwidth parsed_bandwidth(std::string_view key) const;
  std::int64_t transfers(std::string_view key) const;  // "32 GT/s", positive
  Duration duration(std::string_view key) const;       // not negative
  Bytes bytes(std::string_view key) const;             // not negative; nccl-tests sizes allowed
  // Lists. `example`: a value for the hint.
  std::vector<std::string> texts(std::string_view key,
                                 std::string_view example = "[\"...\", \"...\"]") const;
  std::vector<double> numbers(std::string_view key, std::string_view example = "[1, 2.5]") const;
  std::vector<Duration> durations(std::string_view key) const;
  // Text, a number, or true or false, as --set would take it: for keys of which another reader
  // knows the type. `example` as above.
  ConfigScalar scalar(std::string_view key, std::string_view example) const;
  std::vector<ConfigScalar> scalars(std::string_view key, std::string_view example) const;
  // What stands at the key; neither counts as reading it.
  bool is_list(std::string_view key) const;
  bool is_table(std::string_view key) const;

  // Absent -> nullopt.
  std::optional<Bandwidth> find_bandwidth(std::string_view key) const;
  std::optional<Duration> find_duration(std::string_view key) const;

  // One of `choices`, else InputError with the nearest one.
  std::string choice(std::string_view key, const std::vector<std::string>& choices) const;

  // Sub-tables. child(): required; find_child(): absent -> nullopt; children(): [[key]], maybe
  // none.
  ConfigNode child(std::string_view key) const;
  std::optional<ConfigNode> find_child(std::string_view key) const;
  std::vector<ConfigNode> children(std::string_view key) const;

  // Counts as reading the key and everything below it: something else decides in its place.
  void skip(std::string_view key) const;

  // InputError at this table's key (or at the table when the key is absent).
  [[noreturn]] void fail(std::string_view key, std::string message, std::string hint = {}) const;

  // As above with a default when absent.
  std::string text_or(std::string_view key, std::string fallback) const;
  std::int64_t integer_or(std::string_view key, std::int64_t fallback, std::int64_t least,
                          std::int64_t most) const;
  double number_or(std::string_view key, double fallback, double least, double most) const;
  bool boolean_or(std::string_view key, bool fallback) const;

  struct Access;  // internal to sim/config

 private:
  friend class ConfigDocument;
  explicit ConfigNode(std::shared_ptr<Access> access) : access_(std::move(access)) {}
  std::shared_ptr<Access> access_;
};

class ConfigDocument {
 public:
  // Throws InputError: missing file, directory, not readable, larger than 64 MiB, not TOML, not
  // UTF-8.
  static ConfigDocument parse_file(const std::filesystem::path& path);
  // `name` stands for the file in messages: "<catalogue>/dgx-h100.toml".
  static ConfigDocument parse_text(std::string_view text, std::string name);

  ~ConfigDocument();
  ConfigDocument(ConfigDocument&&) noexcept;
  ConfigDocument& operator=(ConfigDocument&&) noexcept;

  ConfigNode root() const;

  // Overrides one value before reading, as `--set key=value` does: "node.link.0.count=9",
  // "node.peer_to_peer=off". Array tables are indexed from 0. The key must exist or be a leaf of an
  // existing table; the value is TOML where it parses as such ("9", "true", "[1, 2]") and text
  // else. Errors about it name "--set" and the key instead of a file position.
  void set(std::string_view dotted_key, std::string_view value);

  // Throws one InputError with every key that was never read (each with its line and the nearest
  // key that was asked for on the same table).
  void finish() const;

  struct State;  // internal to sim/config

 private:
  explicit ConfigDocument(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace ringspan
