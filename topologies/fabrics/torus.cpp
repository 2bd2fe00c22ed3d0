#include "topologies/fabrics/torus.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "topologies/fabrics/direct_network_reading.h"
#include "topologies/fabrics/fabric_reading.h"
#include "topologies/fabrics/fabric_routings.h"
#include "topologies/fabrics/torus_fabric.h"

namespace ringspan {

namespace {

// The largest number whose `exponent`-th power is at most `value`.
std::int64_t integer_root(std::int64_t value, std::size_t exponent) {
  const auto fits = [&](std::int64_t root) {
    std::int64_t left = value;
    for (std::size_t i = 0; i < exponent; ++i) left /= root;
    return left >= 1;
  };
  std::int64_t root = 1;
  while (fits(root + 1)) ++root;
  return root;
}

// Sizes for `switches` switches, as equal as their factors allow.
std::string fitting_sizes(std::int64_t switches, std::size_t dimensions) {
  std::vector<std::int64_t> sizes;
  std::int64_t rest = switches;
  for (std::size_t left = dimensions; left > 0; --left) {
    std::int64_t size = integer_root(rest, left);
    while (rest % size != 0) --size;
    sizes.push_back(size);
    rest /= size;
  }
  std::sort(sizes.rbegin(), sizes.rend());
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

// The product is compared before anything is made.
std::vector<std::uint32_t> read_sizes(const ConfigNode& config, std::int64_t switches) {
  constexpr double kMostSize = 1'000'000;
  const std::vector<double> written = config.numbers("dimensions", fitting_sizes(switches, 3));
  if (written.empty() || written.size() > kMostTorusDimensions) {
    config.fail("dimensions", fmt::format("a torus of {} dimensions", written.size()),
                fmt::format("1 to {} sizes, such as dimensions = {}", kMostTorusDimensions,
                            fitting_sizes(switches, 3)));
  }
  std::vector<std::uint32_t> sizes;
  double product = 1;
  for (const double size : written) {
    if (size < 1 || size > kMostSize || size != std::floor(size)) {
      config.fail("dimensions", fmt::format("{} is no size of a dimension", size),
                  fmt::format("whole numbers from 1 to {}, such as dimensions = {}", switches,
                              fitting_sizes(switches, written.size())));
    }
    sizes.push_back(static_cast<std::uint32_t>(size));
    product *= size;
  }
  if (product != static_cast<double>(switches)) {
    config.fail("dimensions",
                fmt::format("{} makes {:.0f} switches; the servers need {}",
                            fmt::join(sizes, " x "), product, switches),
                fmt::format("dimensions = {} fits, or another servers_per_switch",
                            fitting_sizes(switches, written.size())));
  }
  return sizes;
}

struct Dimensions {
  std::vector<CableKind> kinds;
  std::vector<std::uint32_t> cables;
  std::vector<TorusTwist> twists;
};

void read_twist(const ConfigNode& table, std::uint32_t dimension,
                const std::vector<std::uint32_t>& sizes, std::vector<TorusTwist>& twists) {
  const bool twisted = fabric_key_given(table, "twist");
  if (!twisted) {
    if (fabric_key_given(table, "twist_dimension")) {
      table.fail("twist_dimension", "there is no twist", "write twist = N beside it");
    }
    return;
  }
  const auto last = static_cast<std::int64_t>(sizes.size()) - 1;
  const auto shift = static_cast<std::uint32_t>(table.integer("twist_dimension", 0, last));
  if (shift == dimension) {
    table.fail("twist_dimension", "a dimension cannot be twisted along itself",
               "name another dimension");
  }
  if (sizes[shift] < 2) {
    table.fail("twist_dimension", fmt::format("dimension {} has a single switch", shift),
               "name a longer dimension");
  }
  const auto by = static_cast<std::uint32_t>(table.integer("twist", 1, sizes[shift] - 1));
  for (const TorusTwist& other : twists) {
    if (other.wrap == shift || other.shift == dimension) {
      table.fail("twist_dimension",
                 fmt::format("dimensions {} and {} twist each other in a chain", dimension, shift),
                 "a dimension that others are twisted along has no twist itself");
    }
  }
  twists.push_back({dimension, shift, by});
}

// `link`, `length` and `cables` of [fabric] hold for all dimensions; [[fabric.dimension]] for one.
Dimensions read_dimensions(const FabricInput& input, const std::vector<std::uint32_t>& sizes,
                           const DirectNetwork& network) {
  constexpr std::int64_t kMostCables = 1'024;
  const ConfigNode& config = input.config;
  const std::int64_t cables = config.integer_or("cables", 1, 1, kMostCables);
  const std::vector<ConfigNode> tables = config.children("dimension");
  if (!tables.empty() && tables.size() != sizes.size()) {
    config.fail("dimension",
                fmt::format("there are {} [[fabric.dimension]] tables for {} dimensions",
                            tables.size(), sizes.size()),
                "write one for every dimension, in order; an empty one is fine");
  }
  Dimensions result;
  for (std::uint32_t d = 0; d < sizes.size(); ++d) {
    CableKind kind{network.trunk, fmt::format("dimension {}", d)};
    Duration length = network.length;
    std::int64_t count = cables;
    if (!tables.empty()) {
      const ConfigNode& table = tables[d];
      kind.cable = read_fabric_cable_or(table, "link", input.presets, network.trunk);
      if (fabric_key_given(table, "length")) length = read_cable_delay(table, "length");
      count = table.integer_or("cables", cables, 1, kMostCables);
      read_twist(table, d, sizes, result.twists);
    }
    kind.cable.latency += length;
    result.kinds.push_back(std::move(kind));
    result.cables.push_back(static_cast<std::uint32_t>(count));
  }
  return result;
}

}  // namespace

std::unique_ptr<const Fabric> make_torus(const FabricInput& input) {
  const ConfigNode& config = input.config;
  const DirectNetwork network = read_direct_network(input);
  const std::vector<std::uint32_t> sizes = read_sizes(config, network.switches);
  const Dimensions dimensions = read_dimensions(input, sizes, network);
  auto graph =
      std::make_unique<TorusGraph>(TorusShape(sizes, dimensions.twists), dimensions.cables);
  check_radix(config, network, graph->stride());
  check_link_count(config, "dimensions", network, graph->stride());
  SwitchGraphParts parts;
  parts.kinds = {{network.port, "port"}};
  parts.kinds.insert(parts.kinds.end(), dimensions.kinds.begin(), dimensions.kinds.end());
  parts.notes = {fmt::format("{} switches of {} ports: {} for NICs, {} for neighbours",
                             network.switches, network.most_ports + graph->stride(),
                             network.most_ports, graph->stride())};
  parts.graph = std::move(graph);
  parts.switch_of_port = network.switch_of_port;
  parts.nic_latency = read_nic_latency(config);
  parts.routing =
      read_fabric_routing(config, network.port.preset, input.seed, fabric_routings("torus"),
                          "a torus has no equal ways to spread over at every switch");
  return std::make_unique<TorusFabric>(input, std::move(parts));
}

}  // namespace ringspan
