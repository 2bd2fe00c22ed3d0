#pragma once

// Internal to sim/config: a document as a plain tree, in file order, with positions and with a
// record of what was asked for. toml_reader.cpp makes it; everything else works on it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

struct ConfigEntry;

struct ConfigValue {
  enum class Kind { Text, Integer, Number, Boolean, Date, Array, Table };

  Kind kind = Kind::Table;
  std::string text;                  // Text
  std::int64_t integer = 0;          // Integer
  double number = 0;                 // Number; may be nan or inf
  bool boolean = false;              // Boolean
  std::vector<ConfigValue> items;    // Array
  std::vector<ConfigEntry> entries;  // Table, in file order

  std::int32_t line = 0;
  std::int32_t column = 0;
  std::int32_t origin = 0;  // 0: the file; n: the n-th override
  bool is_inline = false;   // Table: { ... }

  // Table: the keys asked for, in order of asking.
  std::vector<std::string> asked;

  const ConfigEntry* find(std::string_view key) const;
  ConfigEntry* find(std::string_view key);
};

struct ConfigEntry {
  std::string key;
  std::int32_t line = 0;
  std::int32_t column = 0;
  std::int32_t origin = 0;
  bool read = false;
  ConfigValue value;
};

inline const ConfigEntry* ConfigValue::find(std::string_view key) const {
  for (const ConfigEntry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

inline ConfigEntry* ConfigValue::find(std::string_view key) {
  for (ConfigEntry& entry : entries) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

}  // namespace ringspan
