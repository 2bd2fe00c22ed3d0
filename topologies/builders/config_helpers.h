#pragma once

// Small additions to ConfigNode.

#include <string_view>

#include "sim/base/input_error.h"
#include "sim/config/config_node.h"

namespace ringspan {

// Whether an optional key is there. Unlike has() it counts as asking for the key, so that a
// misspelt one is answered with its name.
inline bool given(const ConfigNode& node, std::string_view key) {
  if (node.has(key)) return true;
  node.boolean_or(key, false);
  return false;
}

// Gives an InputError that was thrown without a position the position of a key.
template <typename Action>
auto at_key(const ConfigNode& node, std::string_view key, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    node.fail(key, problem.message, problem.hint);
  }
}

}  // namespace ringspan
