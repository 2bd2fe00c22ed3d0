#pragma once

// Where the message points that says why two parts of a network are apart.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/input_error.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan {

class FaultPlaces {
 public:
  FaultPlaces() = default;
  explicit FaultPlaces(const FabricInput& input);

  // The last fault that names one of the two switches, else the last of all; without faults the
  // table of the network.
  SourcePosition of(std::string_view a, std::string_view b) const;
  const SourcePosition& network() const { return network_; }

 private:
  struct Entry {
    SourcePosition where;
    std::vector<std::string> names;
  };
  std::vector<Entry> faults_;
  SourcePosition network_;
};

}  // namespace ringspan
