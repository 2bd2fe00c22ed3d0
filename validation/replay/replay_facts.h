#pragma once

// What is recorded beside the numbers on any machine. No host, user or path.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringspan {

// date (UTC), kernel, TCP's congestion control; what cannot be read is left out.
std::vector<std::pair<std::string, std::string>> machine_facts();

// NAME=value of those that are set; a name that ends in * stands for all that begin so.
std::vector<std::string> listed_environment(std::span<const std::string_view> names);

}  // namespace ringspan
