#pragma once

// Internal to sim/config: what a ConfigDocument owns and a ConfigNode points to.

#include <string>
#include <vector>

#include "sim/base/input_error.h"
#include "sim/config/config_node.h"
#include "sim/config/config_value.h"

namespace ringspan {

struct ConfigDocument::State {
  std::string name;
  ConfigValue root;
  std::vector<std::string> overrides;  // the keys of --set, in order

  SourcePosition position(std::int32_t origin, std::int32_t line, std::int32_t column) const {
    if (origin > 0) return {"--set " + overrides[static_cast<std::size_t>(origin) - 1], 0, 0};
    return {name, line, column};
  }
  SourcePosition position(const ConfigValue& value) const {
    return position(value.origin, value.line, value.column);
  }
  SourcePosition position(const ConfigEntry& entry) const {
    return position(entry.origin, entry.line, entry.column);
  }
};

struct ConfigNode::Access {
  const ConfigDocument::State* state = nullptr;
  ConfigValue* table = nullptr;
  std::string path;       // "node.link"; empty for the root
  bool in_array = false;  // one of [[path]]
};

// "[node]", "[[node.link]]"; empty for the root.
std::string table_label(const std::string& path, bool in_array);

}  // namespace ringspan
