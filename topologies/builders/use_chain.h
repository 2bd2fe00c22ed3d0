#pragma once

// `use = "NAME"`: a system that takes its server from another file, and that perhaps from a third.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/builders/system.h"

namespace ringspan {

// The files from the outermost to the one that has devices. All but the first were opened here and
// are held here.
class UseChain {
 public:
  // Starts at [node] and sets the overrides. A file whose [[pod]]s bring servers of their own needs
  // no [node]. Throws InputError: no such system or file, a cycle, `use` beside own devices, an
  // override of what is not there.
  UseChain(ConfigDocument& document, const SystemFinder& find, const SystemOverrides& overrides);
  // Starts at a [[pod]] that describes a server of its own.
  UseChain(const ConfigNode& pod, const SystemFinder& find);

  // The files' top level, that of a pod's own file excepted.
  const std::vector<ConfigNode>& roots() const { return roots_; }
  // [node], and a [[pod]] where the chain starts at one.
  const std::vector<ConfigNode>& nodes() const { return nodes_; }
  const ConfigNode& wiring() const { return nodes_.back(); }
  // Where the numbers of the files opened here come from, "NAME: SOURCE".
  const std::vector<std::string>& sources() const { return sources_; }

  // Reports keys nobody read in the files opened here.
  void finish() const;

 private:
  // Opens what the node uses; false: it uses nothing.
  bool follow(const ConfigNode& node, const SystemFinder& find);
  ConfigDocument open(const ConfigNode& node, const std::string& target, const SystemFinder& find,
                      std::string& identity);

  std::vector<std::unique_ptr<ConfigDocument>> documents_;
  std::vector<ConfigNode> roots_;
  std::vector<ConfigNode> nodes_;
  std::vector<std::string> sources_;
  std::vector<std::string> files_;       // as the user knows them, for the message about a cycle
  std::vector<std::string> identities_;  // one per file, whatever path led to it
};

}  // namespace ringspan
