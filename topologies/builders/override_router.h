#pragma once

// --set on its way to the file it belongs to, where a system uses others.

#include <string_view>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/builders/system.h"

namespace ringspan {

// node.device and node.link belong to the file that has the wiring; fabric, pod, fault, network and
// transport to the outermost file that has such a table; all else to the outermost file.
class OverrideRouter {
 public:
  // Keeps a reference.
  explicit OverrideRouter(const SystemOverrides& overrides);

  // Sets what belongs to the next file, from the outermost inwards. Must come before any ConfigNode
  // of it is kept. Throws InputError: no such key.
  void apply(ConfigDocument& document);
  // Sets what no file had a table for in the outermost one: [fabric] and [transport] are made, the
  // rest is refused.
  void apply_rest(ConfigDocument& outermost);

 private:
  bool belongs_to(const ConfigDocument& document, std::string_view key) const;

  const SystemOverrides& overrides_;
  std::vector<bool> done_;
  bool outermost_ = true;
};

}  // namespace ringspan
