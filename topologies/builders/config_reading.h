#pragma once

// Small additions to ConfigNode.

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

// Gives an InputError that was thrown without a position the position of a table.
template <typename Action>
auto at_table(const ConfigNode& table, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw InputError(table.position(), problem.message, problem.hint);
  }
}

// The one of `values` whose name stands at the key.
template <typename Enum, std::size_t N, typename NameOf>
Enum enum_choice(const ConfigNode& node, std::string_view key, const std::array<Enum, N>& values,
                 NameOf name_of) {
  std::vector<std::string> names;
  names.reserve(N);
  for (const Enum value : values) names.emplace_back(name_of(value));
  const std::string written = node.choice(key, names);
  std::size_t i = 0;
  while (names[i] != written) ++i;
  return values[i];
}

}  // namespace ringspan
