#pragma once

// Device names, and the patterns by which links name several of them:
//   "gpu0"          that device
//   "gpu[0-3]"      gpu0 gpu1 gpu2 gpu3; also "gpu[0,4-5]"
//   "gpu*"          every device called gpu and a number, in the order of the file
// Errors are InputErrors without position.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/ids.h"

namespace ringspan {

// The names of one server's devices.
class DeviceNames {
 public:
  // Throws InputError if the name is taken.
  void add(std::string name, NodeId id);

  // The devices a pattern means. Throws InputError: unknown device, malformed pattern.
  std::vector<NodeId> expand(std::string_view pattern) const;

  const std::string& name(NodeId id) const { return names_[id.index()]; }
  std::size_t size() const { return names_.size(); }

 private:
  NodeId at(const std::string& name) const;
  std::vector<NodeId> numbered(std::string_view stem) const;
  std::vector<NodeId> ranges(std::string_view stem, std::string_view list) const;

  std::map<std::string, NodeId, std::less<>> ids_;
  std::vector<std::string> names_;  // by NodeId
};

// Throws InputError unless `name` is made of letters, digits, '-', '_' and '.'.
void check_device_name(std::string_view name);

}  // namespace ringspan
