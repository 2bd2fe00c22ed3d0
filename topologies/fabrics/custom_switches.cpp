#include "topologies/fabrics/custom_switches.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "topologies/fabrics/cable_health.h"
#include "topologies/fabrics/fabric_reading.h"
#include "topologies/fabrics/index_list.h"

namespace ringspan {

namespace {

constexpr std::int64_t kMostSwitches = 65'536;
constexpr std::int64_t kMostRadix = 1'000'000;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

std::string read_name(const ConfigNode& table) {
  std::string name = table.text("name");
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character)) {
    table.fail("name", fmt::format("'{}' cannot be the name of a switch", name),
               "use letters, digits, '-' and '_'");
  }
  return name;
}

}  // namespace

CustomSwitches::CustomSwitches(const ConfigNode& config) {
  for (const ConfigNode& table : config.children("switch")) {
    const std::string stem = read_name(table);
    const bool counted = fabric_key_given(table, "count");
    const std::int64_t count = counted ? table.integer("count", 1, kMostSwitches) : 1;
    const std::int64_t radix =
        fabric_key_given(table, "radix") ? table.integer("radix", 1, kMostRadix) : 0;
    if (count > kMostSwitches - static_cast<std::int64_t>(names_.size())) {
      table.fail("count", "there are too many switches", fmt::format("at most {}", kMostSwitches));
    }
    if (counted) counts_[stem] = static_cast<std::uint32_t>(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string name = counted ? fmt::format("{}{}", stem, i) : stem;
      if (!numbers_.emplace(name, static_cast<std::uint32_t>(names_.size())).second) {
        table.fail("name", fmt::format("there are two switches called '{}'", name),
                   "give every switch its own name");
      }
      names_.push_back(name);
      stems_.push_back(stem);
      radix_.push_back(radix);
    }
  }
  if (names_.empty()) {
    config.fail("switch", "there is no switch", "add [[fabric.switch]] tables with a name");
  }
}

std::uint32_t CustomSwitches::at(const std::string& name) const {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const std::string near = nearest_name(name, names_);
  throw InputError(fmt::format("there is no switch '{}'", name),
                   near.empty() ? "switches are named by [[fabric.switch]], NICs server0.nic0"
                                : fmt::format("did you mean '{}'?", near));
}

std::vector<std::uint32_t> CustomSwitches::expand(std::string_view pattern) const {
  const std::size_t special = pattern.find_first_of("*[");
  if (special == std::string_view::npos) return {at(std::string(pattern))};
  const std::string stem(pattern.substr(0, special));
  const auto counted = counts_.find(stem);
  if (counted == counts_.end()) {
    throw InputError(fmt::format("no switches are called '{}' and a number", stem),
                     "name a [[fabric.switch]] that has a count");
  }
  std::vector<std::uint32_t> switches;
  for (const std::uint32_t number : parse_index_list(pattern.substr(special), counted->second)) {
    switches.push_back(at(fmt::format("{}{}", stem, number)));
  }
  return switches;
}

NicNames::NicNames(std::span<const FabricPort> ports) {
  for (std::uint32_t port = 0; port < ports.size(); ++port) {
    const auto server = static_cast<std::uint32_t>(ports[port].server);
    const auto nic = static_cast<std::uint32_t>(ports[port].rail);
    ports_[{server, nic}] = port;
    servers_ = std::max(servers_, server + 1);
    nics_ = std::max(nics_, nic + 1);
  }
}

bool NicNames::is_nic(std::string_view pattern) {
  return pattern.starts_with("server") && pattern.find(".nic") != std::string_view::npos;
}

std::vector<std::uint32_t> NicNames::expand(std::string_view pattern) const {
  constexpr std::string_view kServer = "server";
  constexpr std::string_view kNic = ".nic";
  const std::size_t dot = pattern.find(kNic);
  const std::string_view server_text = pattern.substr(kServer.size(), dot - kServer.size());
  const std::string_view nic_text = pattern.substr(dot + kNic.size());
  std::vector<std::uint32_t> found;
  const std::vector<std::uint32_t> nics = parse_index_list(nic_text, nics_);
  for (const std::uint32_t server : parse_index_list(server_text, servers_)) {
    for (const std::uint32_t nic : nics) {
      const auto port = ports_.find({server, nic});
      if (port != ports_.end()) {
        found.push_back(port->second);
      } else if (server_text != "*" && nic_text != "*") {
        throw InputError(fmt::format("there is no server{}.nic{}", server, nic),
                         "dead servers and NICs are left out by '*'");
      }
    }
  }
  if (found.empty()) {
    throw InputError(fmt::format("'{}' names no NIC", pattern), "such as \"server*.nic0\"");
  }
  return found;
}

}  // namespace ringspan
