#include "topologies/fabrics/dragonfly.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "topologies/fabrics/direct_network_reading.h"
#include "topologies/fabrics/dragonfly_fabric.h"
#include "topologies/fabrics/fabric_routings.h"

namespace ringspan {

namespace {

constexpr std::int64_t kMostSwitches = std::int64_t{1} << 20U;
constexpr std::int64_t kMostCables = 1'024;

class Reader {
 public:
  Reader(const FabricInput& input, const DirectNetwork& network)
      : config_(input.config), network_(network) {
    global_ = read_fabric_cable_or(config_, "global_link", input.presets, network.trunk);
    global_.latency += read_cable_delay(config_, "global_length");
  }

  DragonflyShape shape() {
    read_groups();
    shape_.local_cables =
        static_cast<std::uint32_t>(config_.integer_or("local_cables", 1, 1, kMostCables));
    read_global_cables();
    check_radix(config_, network_, std::int64_t{shape_.local_ports()} + shape_.global_ports());
    return shape_;
  }
  const FabricCable& global() const { return global_; }
  std::vector<std::string> notes() const {
    return {fmt::format("{} groups of {} switches for {} that the servers need", shape_.groups,
                        shape_.switches_per_group, network_.switches),
            fmt::format("global_cables = {} between two groups{}", shape_.global_cables, how_),
            fmt::format("ports of a switch: {} for NICs, {} local, {} global", network_.most_ports,
                        shape_.local_ports(), shape_.global_ports())};
  }

 private:
  void read_groups() {
    const std::int64_t per_group = config_.integer("switches_per_group", 1, kMostSwitches);
    const std::int64_t needed = (network_.switches + per_group - 1) / per_group;
    const std::int64_t groups = config_.integer_or("groups", needed, 1, kMostSwitches);
    if (groups < needed) {
      config_.fail("groups",
                   fmt::format("{} groups of {} switches with {} servers each hold {} servers, "
                               "fewer than there are",
                               groups, per_group, network_.servers_per_switch,
                               groups * per_group * network_.servers_per_switch),
                   fmt::format("groups = {}", needed));
    }
    if (groups > kMostSwitches / per_group) {
      config_.fail(fabric_key_given(config_, "groups") ? "groups" : "switches_per_group",
                   fmt::format("{} groups of {} switches are too many", groups, per_group),
                   fmt::format("at most {} switches", kMostSwitches));
    }
    shape_.groups = static_cast<std::uint32_t>(groups);
    shape_.switches_per_group = static_cast<std::uint32_t>(per_group);
  }

  // One of three ways to say how many, or none.
  void read_global_cables() {
    std::vector<std::string> given;
    for (const char* key : {"global_cables", "global_ports", "global_taper"}) {
      if (fabric_key_given(config_, key)) given.emplace_back(key);
    }
    if (given.size() > 1) {
      config_.fail(given[1],
                   fmt::format("{} already says how many global cables there are", given[0]),
                   "leave one of the two out");
    }
    if (shape_.groups == 1) {
      // A file for any number of servers says it for when there are more; one that asks for a
      // single group contradicts itself.
      if (!given.empty() && fabric_key_given(config_, "groups")) {
        config_.fail(given[0], "a single group has no global cables", "leave it out");
      }
      for (const std::string& key : given) config_.number(key, 0.001, kMostCables);
      check_links("", 0);
      return;
    }
    const std::string key = given.empty() ? "" : given[0];
    std::int64_t cables = 0;
    if (key == "global_cables") {
      cables = config_.integer(key, 1, kMostCables);
    } else if (key == "global_ports") {
      cables = from_ports(config_.integer(key, 1, kMostCables));
    } else {
      cables = from_taper(key.empty() ? 1.0 : config_.number(key, 0.001, 1000), key);
    }
    check_links(key, cables);
    shape_.global_cables = static_cast<std::uint32_t>(cables);
  }

  std::int64_t from_ports(std::int64_t ports) {
    const std::int64_t ends = ports * shape_.switches_per_group;
    const std::int64_t others = std::int64_t{shape_.groups} - 1;
    if (ends < others) {
      config_.fail(
          "global_ports",
          fmt::format("a group has {} x {} = {} global ports, too few for {} other groups",
                      shape_.switches_per_group, ports, ends, others),
          fmt::format("at most {} groups, or global_ports = {}", ends + 1,
                      (others + shape_.switches_per_group - 1) / shape_.switches_per_group));
    }
    how_ = fmt::format(": {} x {} ports over {} other groups, {} left free",
                       shape_.switches_per_group, ports, others, ends % others);
    return ends / others;
  }

  // What a group's global cables carry over what its NICs may send: rounded up to whole cables.
  std::int64_t from_taper(double taper, const std::string& key) {
    const double sent = static_cast<double>(network_.port.nominal.bits_per_second) *
                        static_cast<double>(network_.most_ports) * shape_.switches_per_group;
    const double cables =
        taper * sent / static_cast<double>(global_.nominal.bits_per_second) / (shape_.groups - 1.0);
    how_ = fmt::format(": global_taper = {}{}", taper, key.empty() ? ", the default" : "");
    if (cables > static_cast<double>(kMostCables)) {
      config_.fail(key, fmt::format("{:.0f} cables between two groups are too many", cables),
                   fmt::format("at most {}: a smaller global_taper", kMostCables));
    }
    const auto whole = static_cast<std::int64_t>(cables);
    return std::max<std::int64_t>(1, static_cast<double>(whole) < cables ? whole + 1 : whole);
  }

  void check_links(const std::string& key, std::int64_t cables) const {
    constexpr double kMostLinks = 2'000'000'000;
    const double ends =
        static_cast<double>(shape_.groups) * (shape_.groups - 1.0) * static_cast<double>(cables) +
        static_cast<double>(shape_.switches()) * (shape_.switches_per_group - 1.0) *
            shape_.local_cables;
    if (ends <= kMostLinks) return;
    config_.fail(key.empty() ? "switches_per_group" : key,
                 fmt::format("{:.0f} ends of cables are too many", ends),
                 fmt::format("at most {:.0f}", kMostLinks));
  }

  const ConfigNode& config_;
  const DirectNetwork& network_;
  FabricCable global_;
  DragonflyShape shape_;
  std::string how_;
};

}  // namespace

std::unique_ptr<const Fabric> make_dragonfly(const FabricInput& input) {
  DirectNetwork network = read_direct_network(input);
  Reader reader(input, network);
  const DragonflyShape shape = reader.shape();
  SwitchGraphParts parts;
  FabricCable local = network.trunk;
  local.latency += network.length;
  parts.kinds = {{network.port, "port"}, {local, "local"}, {reader.global(), "global"}};
  parts.graph = std::make_unique<DragonflyGraph>(shape);
  parts.switch_of_port = std::move(network.switch_of_port);
  parts.nic_latency = read_nic_latency(input.config);
  parts.routing = read_fabric_routing(
      input.config, network.port.preset, input.seed, fabric_routings("dragonfly"),
      "a dragonfly takes minimal ways or detours; choosing between them by load (UGAL) needs queue "
      "lengths, which flows do not have");
  parts.notes = reader.notes();
  return std::make_unique<DragonflyFabric>(input, std::move(parts));
}

}  // namespace ringspan
