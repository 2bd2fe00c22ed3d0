#include "topologies/fabrics/clos_request.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/quantity.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

constexpr std::int64_t kMostServers = 1'000'000'000;
constexpr std::int64_t kMostSwitches = 1'000'000;
constexpr std::int64_t kMostCables = 1'024;
constexpr std::int64_t kMostRatio = 1'000;

std::optional<std::int64_t> read_count(const ConfigNode& config, std::string_view key,
                                       std::int64_t most) {
  if (!fabric_key_given(config, key)) return std::nullopt;
  return config.integer(key, 1, most);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > kMostRatio) return std::nullopt;
  return value;
}

Oversubscription read_ratio(const ConfigNode& config, const std::string& written) {
  const std::size_t colon = written.find(':');
  if (colon != std::string::npos) {
    const auto down = whole_number(std::string_view(written).substr(0, colon));
    const auto up = whole_number(std::string_view(written).substr(colon + 1));
    if (down && up) return {*down, *up};
  }
  const std::string message = fmt::format("{} is no oversubscription", quote_text(written));
  if (whole_number(written)) {
    config.fail("oversubscription", message, fmt::format("write \"{}:1\"", written));
  }
  config.fail("oversubscription", message,
              fmt::format("two whole numbers from 1 to {}, what comes from below to what goes up: "
                          "\"4:1\", \"33:7\"",
                          kMostRatio));
}

// oversubscription = 4, without quotes.
std::optional<double> bare_ratio(const ConfigNode& config) {
  try {
    constexpr double kAny = std::numeric_limits<double>::max();
    return config.number("oversubscription", -kAny, kAny);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::vector<std::string> read_ratio_texts(const ConfigNode& config) {
  if (const std::optional<double> bare = bare_ratio(config)) {
    read_ratio(config, fmt::format("{}", *bare));
  }
  try {
    return {config.text("oversubscription")};
  } catch (const InputError&) {
    return config.texts("oversubscription", "\"4:1\"");
  }
}

void read_oversubscription(const ClosKind& kind, const ConfigNode& config, ClosRequest& request) {
  if (!fabric_key_given(config, "oversubscription")) return;
  const std::vector<std::string> written = read_ratio_texts(config);
  const std::int64_t tiers = request.tiers.value_or(kind.most_tiers);
  if (written.empty() || static_cast<std::int64_t>(written.size()) >= tiers) {
    config.fail("oversubscription",
                fmt::format("{} ratios are given; {} tiers of switches have {}", written.size(),
                            tiers, tiers - 1),
                tiers == 2 ? "what comes up to a leaf over what leaves it upwards: \"4:1\""
                           : "above the leaves, above the spines: [\"1:1\", \"7:1\"]");
  }
  request.leaf = read_ratio(config, written[0]);
  if (written.size() > 1) request.spine = read_ratio(config, written[1]);
}

// A port has 4 or 8 lanes: a NIC's rate can be halved as often as that.
std::int64_t read_planes(const ConfigNode& config, FabricCable& port) {
  const std::int64_t planes = config.integer_or("planes", 1, 1, kMostPlanes);
  if ((planes & (planes - 1)) != 0) {
    config.fail("planes",
                fmt::format("a NIC of {} cannot be split evenly over {} planes",
                            format_bandwidth(port.nominal), planes),
                "1, 2, 4 or 8: a port is 4 or 8 lanes");
  }
  port.nominal = {port.nominal.bits_per_second / planes};
  return planes;
}

// What a NIC sends over its cable, where that is less than the cable carries.
std::optional<Bandwidth> read_port_rate(const ConfigNode& config, const FabricCable& port) {
  if (!fabric_key_given(config, "port_rate")) return std::nullopt;
  const Bandwidth rate = config.bandwidth("port_rate");
  if (rate > port.nominal) {
    config.fail("port_rate",
                fmt::format("{} is more than a port of {} carries, {}", format_bandwidth(rate),
                            port.preset, format_bandwidth(port.nominal)),
                "take a faster `link`");
  }
  constexpr Bandwidth kLeast{8'000'000};
  if (rate < kLeast) {
    config.fail("port_rate", fmt::format("{} is no rate of a port", format_bandwidth(rate)),
                fmt::format("at least {}", format_bandwidth(kLeast)));
  }
  return rate;
}

void read_cables(const ClosKind& kind, const FabricInput& input, ClosRequest& request) {
  const ConfigNode& config = input.config;
  request.port = read_fabric_cable(config, "link", input.presets);
  request.up = request.core = request.port;
  request.port_rate = read_port_rate(config, request.port);
  const Duration base = request.port.latency;
  request.port.latency = base + read_cable_delay(config, "port_cable");
  if (kind.most_tiers > 1) {
    request.up = read_fabric_cable_or(config, "uplink", input.presets, request.up);
    request.core = request.up;
    request.up.latency += read_cable_delay(config, "leaf_spine_cable");
    request.planes = read_planes(config, request.port);
    if (request.port_rate) request.port_rate->bits_per_second /= request.planes;
  }
  if (kind.most_tiers > 2) {
    request.core = read_fabric_cable_or(config, "core_link", input.presets, request.core);
    request.core.latency += read_cable_delay(config, "spine_core_cable");
  }
}

// Keys of tiers that a written number of tiers does not have.
void refuse_keys_above(const ConfigNode& config, const ClosRequest& request) {
  const std::vector<std::pair<std::int64_t, const char*>> keys = {
      {2, "uplink"},     {2, "leaf_spine_cable"}, {2, "spines"}, {2, "cables_per_spine"},
      {3, "core_link"},  {3, "spine_core_cable"}, {3, "cores"},  {3, "servers_per_pod"},
      {3, "spine_group"}};
  for (const auto& [tiers, key] : keys) {
    if (!request.tiers || *request.tiers >= tiers || !config.has(key)) continue;
    config.fail(key,
                fmt::format("{} belongs to a fabric of {} tiers; this one has {}", key, tiers,
                            *request.tiers),
                fmt::format("remove {}, or write tiers = {}", key, tiers));
  }
}

bool names_third_tier(const ConfigNode& config) {
  for (const char* key :
       {"core_link", "spine_core_cable", "cores", "servers_per_pod", "spine_group"}) {
    if (config.has(key)) return true;
  }
  return false;
}

void read_counts(const ClosKind& kind, const ConfigNode& config, ClosRequest& request) {
  request.radix = read_count(config, "radix", kMostSwitchPorts);
  if (kind.most_tiers == 1) return;
  if (kind.least_tiers != kind.most_tiers && fabric_key_given(config, "tiers")) {
    request.tiers = config.integer("tiers", kind.least_tiers, kind.most_tiers);
  }
  request.servers_per_leaf = read_count(config, "servers_per_leaf", kMostServers);
  request.spines = read_count(config, "spines", kMostSwitches);
  request.cables_per_spine = read_count(config, "cables_per_spine", kMostCables);
  if (kind.most_tiers < 3) return;
  request.servers_per_pod = read_count(config, "servers_per_pod", kMostServers);
  request.cores = read_count(config, "cores", kMostSwitches);
  if (kind.leaf_per_rail && fabric_key_given(config, "spine_group")) {
    request.rail_blocks = config.choice("spine_group", {"pod", "rail"}) == "rail";
  }
}

}  // namespace

std::string oversubscription_text(std::int64_t down, std::int64_t up) {
  const std::int64_t common = std::gcd(down, up);
  return common == 0 ? fmt::format("{}:{}", down, up)
                     : fmt::format("{}:{}", down / common, up / common);
}

ClosRequest read_clos_request(const ClosKind& kind, const FabricInput& input) {
  const ConfigNode& config = input.config;
  ClosRequest request;
  read_cables(kind, input, request);
  read_counts(kind, config, request);
  if (kind.most_tiers > 1) read_oversubscription(kind, config, request);
  refuse_keys_above(config, request);
  request.names_third_tier = request.spine || names_third_tier(config);
  request.nic_latency = read_nic_latency(config);
  request.in_network_reduction = config.boolean_or("in_network_reduction", false);
  if (input.ports.empty()) {
    config.fail("link", "no server has a NIC that the fabric could join",
                "add [[node.device]] of kind \"nic\" and cable them to a PCIe switch or CPU");
  }
  return request;
}

}  // namespace ringspan
