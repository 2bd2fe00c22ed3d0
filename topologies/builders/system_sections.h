#pragma once

// The tables beside [node], from the file that decides: what the outermost file says stands, and
// what it does not say comes from the file it uses.

#include <optional>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/builders/use_chain.h"

namespace ringspan {

struct SystemSections {
  std::optional<ConfigNode> fabric;     // [fabric]
  std::optional<ConfigNode> transport;  // [transport]
  std::vector<ConfigNode> networks;     // [[network]]
  std::vector<ConfigNode> faults;       // [[fault]]
  std::vector<ConfigNode> pods;         // [[pod]]; then `counted` is absent
  std::optional<ConfigNode> counted;    // the [node] with the count that holds
};

// Throws InputError: a table that is a value, pods beside a count.
SystemSections find_sections(const UseChain& chain);

// Nothing beside [node] of the files a pod uses is read.
void skip_sections(const UseChain& chain);

}  // namespace ringspan
