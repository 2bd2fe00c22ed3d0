#pragma once

// Which routings each kind of fabric takes.

#include <string>
#include <string_view>
#include <vector>

namespace ringspan {

// In the order in which `list` shows them; the first is the default where no other is set by the
// link. None for a kind that is no network of its own (nvlink-domain).
std::vector<std::string> fabric_routings(std::string_view kind);

}  // namespace ringspan
