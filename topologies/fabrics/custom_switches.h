#pragma once

// Names in a custom fabric's file and what they stand for: switches ("leaf0", "leaf[0-3]", "leaf*")
// and NICs ("server[0-3].nic*").

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config/config_node.h"
#include "topologies/fabrics/fabric.h"

namespace ringspan {

class CustomSwitches {
 public:
  // Reads [[fabric.switch]].
  explicit CustomSwitches(const ConfigNode& config);

  const std::vector<std::string>& names() const { return names_; }
  // By switch: the most cables that end there; 0: any number.
  const std::vector<std::int64_t>& radix() const { return radix_; }
  // "leaf" for leaf0, the name as written in the table.
  const std::string& stem(std::uint32_t number) const { return stems_[number]; }
  // Throws InputError without position.
  std::vector<std::uint32_t> expand(std::string_view pattern) const;

 private:
  std::uint32_t at(const std::string& name) const;

  std::vector<std::string> names_, stems_;
  std::vector<std::int64_t> radix_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::map<std::string, std::uint32_t, std::less<>> counts_;  // by stem of a table with a count
};

class NicNames {
 public:
  explicit NicNames(std::span<const FabricPort> ports);

  // "server3.nic0" and the like, not the name of a switch.
  static bool is_nic(std::string_view pattern);
  // Ports. Throws InputError without position.
  std::vector<std::uint32_t> expand(std::string_view pattern) const;

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ports_;  // by server and NIC
  std::uint32_t servers_ = 0, nics_ = 0;  // the highest numbers, and one
};

}  // namespace ringspan
