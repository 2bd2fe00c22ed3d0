#pragma once

// A [[fault]] in words, for `show` and for notes.

#include <string>
#include <string_view>

#include "sim/config/config_node.h"

namespace ringspan {

// `subject`: the key that says what is hit, "from" for links. `rate`: what is left, as a share.
// "server2.nic0: dead", "leaf0 - spine1: 2 cables at 50 % of the rate", "spine0 of the network
// storage: dead".
std::string fault_text(const ConfigNode& table, std::string_view subject, double rate);

}  // namespace ringspan
