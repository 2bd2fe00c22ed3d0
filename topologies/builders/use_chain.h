#pragma once

// `use = "NAME"`: a system that takes its server from another file, and that perhaps from a third.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/builders/system.h"

namespace ringspan {

// The [node] tables from the outermost to the one that has devices. All but the first file were
// opened here and are held here.
class UseChain {
 public:
  // Throws InputError: no such system or file, a cycle, `use` beside own devices, an override of
  // what is not there.
  UseChain(ConfigDocument& document, const SystemFinder& find, const SystemOverrides& overrides);

  const std::vector<ConfigNode>& nodes() const { return nodes_; }
  const ConfigNode& wiring() const { return nodes_.back(); }
  // Where the numbers of the files opened here come from, "NAME: SOURCE".
  const std::vector<std::string>& sources() const { return sources_; }

  // Reports keys nobody read in the files opened here.
  void finish() const;

 private:
  bool follow(const SystemFinder& find, const SystemOverrides& overrides);
  ConfigDocument open(const ConfigNode& node, const std::string& target, const SystemFinder& find,
                      std::string& identity);

  std::vector<std::unique_ptr<ConfigDocument>> documents_;
  std::vector<ConfigNode> nodes_;
  std::vector<std::string> sources_;
  std::vector<std::string> files_;       // as the user knows them, for the message about a cycle
  std::vector<std::string> identities_;  // one per file, whatever path led to it
};

}  // namespace ringspan
