#include "topologies/fabrics/custom.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "topologies/fabrics/custom_fabric.h"
#include "topologies/fabrics/custom_graph.h"
#include "topologies/fabrics/custom_switches.h"
#include "topologies/fabrics/fabric_reading.h"
#include "topologies/fabrics/fabric_routings.h"

namespace ringspan {

namespace {

constexpr std::size_t kMostBundles = 4'000'000;
constexpr std::int64_t kMostCables = 1'024;
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// One side of a [[fabric.link]]: switches, or NICs.
struct End {
  std::string_view key;
  bool nics = false;
  std::vector<std::uint32_t> numbers;
};

class Reader {
 public:
  explicit Reader(const FabricInput& input)
      : input_(input),
        config_(input.config),
        switches_(input.config),
        nics_(input.ports),
        switch_of_port_(input.ports.size(), kNowhere),
        kind_of_port_(input.ports.size(), 0) {}

  void read() {
    for (const ConfigNode& table : config_.children("link")) read_link(table);
    for (std::size_t port = 0; port < switch_of_port_.size(); ++port) {
      if (switch_of_port_[port] != kNowhere) continue;
      config_.fail("link", fmt::format("{} hangs on no switch", port_name(input_.ports[port])),
                   "add a [[fabric.link]] such as from = \"server*.nic*\", to = a switch");
    }
    check_radix();
  }

  std::unique_ptr<const Fabric> fabric() {
    SwitchGraphParts parts;
    parts.nic_latency = read_nic_latency(config_);
    parts.routing = read_fabric_routing(config_, kinds_[kind_of_port_.front()].cable.preset,
                                        input_.seed, fabric_routings("custom"),
                                        "a custom fabric has no dimensions and only shortest ways");
    const bool pooled = parts.routing.choice->spread() != PathChoice::Spread::One;
    parts.notes = {fmt::format("{} switches; ways are found by breadth-first search",
                               switches_.names().size())};
    parts.graph = std::make_unique<CustomGraph>(switches_.names(), cables_, pooled);
    parts.kinds = std::move(kinds_);
    parts.switch_of_port = std::move(switch_of_port_);
    parts.kind_of_port = std::move(kind_of_port_);
    return std::make_unique<CustomFabric>(input_, std::move(parts), std::move(tiers_));
  }

 private:
  // Gives an InputError without position that of a key.
  template <typename Action>
  static auto at_key(const ConfigNode& table, std::string_view key, Action action) {
    try {
      return action();
    } catch (const InputError& error) {
      const InputProblem& problem = error.problems().front();
      table.fail(key, problem.message, problem.hint);
    }
  }

  End read_end(const ConfigNode& table, std::string_view key) const {
    const std::string pattern = table.text(key);
    const bool nics = NicNames::is_nic(pattern);
    return {key, nics, at_key(table, key, [&] {
              return nics ? nics_.expand(pattern) : switches_.expand(pattern);
            })};
  }

  void read_link(const ConfigNode& table) {
    const std::string pairs =
        fabric_key_given(table, "pairs") ? table.choice("pairs", {"all", "each", "mesh"}) : "all";
    End from = read_end(table, "from");
    End to{"to", false, {}};
    if (pairs == "mesh") {
      if (from.nics || table.has("to")) {
        table.fail(from.nics ? "from" : "to", "pairs = \"mesh\" joins the switches of `from`",
                   "name switches in from, and leave to out");
      }
    } else {
      to = read_end(table, "to");
    }
    if (pairs == "each" && from.numbers.size() != to.numbers.size()) {
      table.fail("pairs",
                 fmt::format("pairs = \"each\" needs as many on both sides: there are {} and {}",
                             from.numbers.size(), to.numbers.size()),
                 "name the same number, or write pairs = \"all\"");
    }
    if (from.nics) std::swap(from, to);
    if (from.nics) table.fail("to", "a cable joins two NICs", "hang each of them on a switch");
    const std::uint32_t kind = read_kind(table, from, to);
    if (to.nics) {
      hang(table, from, to, pairs == "each", kind);
    } else {
      join(table, from, pairs == "mesh" ? from : to, pairs, kind);
    }
  }

  std::uint32_t read_kind(const ConfigNode& table, const End& from, const End& to) {
    const std::string below = switches_.stem(from.numbers.front());
    const std::string above =
        to.nics || to.numbers.empty() ? below : switches_.stem(to.numbers.front());
    CableKind kind;
    kind.cable = fabric_key_given(table, "link")
                     ? read_fabric_cable(table, "link", input_.presets)
                     : read_fabric_cable(config_, "default_link", input_.presets);
    kind.cable.latency += read_cable_delay(table, "length");
    kind.tier = to.nics ? "port" : fmt::format("{}-{}", below, above);
    kinds_.push_back(std::move(kind));
    tiers_.push_back({to.nics ? "server" : below, above});
    return static_cast<std::uint32_t>(kinds_.size() - 1);
  }

  // NICs on switches.
  void hang(const ConfigNode& table, const End& switches, const End& nics, bool each,
            std::uint32_t kind) {
    if (!each && switches.numbers.size() != 1) {
      table.fail(switches.key, "a NIC hangs on one switch",
                 "name one switch, or as many as NICs with pairs = \"each\"");
    }
    if (fabric_key_given(table, "count")) {
      table.fail("count", "a NIC hangs on one cable", "leave count out");
    }
    for (std::size_t i = 0; i < nics.numbers.size(); ++i) {
      const std::uint32_t port = nics.numbers[i];
      const std::uint32_t at = switches.numbers[each ? i : 0];
      if (switch_of_port_[port] != kNowhere) {
        table.fail(nics.key,
                   fmt::format("{} hangs on {} already", port_name(input_.ports[port]),
                               switches_.names()[switch_of_port_[port]]),
                   "name every NIC once");
      }
      switch_of_port_[port] = at;
      kind_of_port_[port] = kind;
    }
  }

  void join(const ConfigNode& table, const End& from, const End& to, const std::string& pairs,
            std::uint32_t kind) {
    const auto count = static_cast<std::uint32_t>(table.integer_or("count", 1, 1, kMostCables));
    const double pair_count = pairs == "each" ? static_cast<double>(from.numbers.size())
                                              : static_cast<double>(from.numbers.size()) *
                                                    static_cast<double>(to.numbers.size());
    if (pair_count > static_cast<double>(kMostBundles - cables_.size())) {
      table.fail("from", fmt::format("{:.0f} pairs of switches are too many", pair_count),
                 fmt::format("at most {} in all", kMostBundles));
    }
    for (std::size_t i = 0; i < from.numbers.size(); ++i) {
      const std::size_t first = pairs == "each" ? i : pairs == "mesh" ? i + 1 : 0;
      const std::size_t last = pairs == "each" ? i + 1 : to.numbers.size();
      for (std::size_t j = first; j < last; ++j) {
        if (from.numbers[i] == to.numbers[j]) {
          table.fail("to",
                     fmt::format("'{}' is joined to itself", switches_.names()[to.numbers[j]]),
                     "pairs = \"mesh\" joins the switches of `from` with each other");
        }
        cables_.push_back({from.numbers[i], to.numbers[j], count, kind});
      }
    }
  }

  void check_radix() const {
    std::vector<std::int64_t> used(switches_.names().size(), 0);
    for (const CustomGraph::Cables& some : cables_) {
      used[some.a] += some.count;
      used[some.b] += some.count;
    }
    for (const std::uint32_t at : switch_of_port_) ++used[at];
    const std::vector<ConfigNode> tables = config_.children("switch");
    for (std::size_t at = 0; at < used.size(); ++at) {
      if (switches_.radix()[at] == 0 || used[at] <= switches_.radix()[at]) continue;
      const auto table = std::find_if(tables.begin(), tables.end(), [&](const ConfigNode& each) {
        return each.text("name") == switches_.stem(static_cast<std::uint32_t>(at));
      });
      table->fail("radix", fmt::format("{} cables end at {}", used[at], switches_.names()[at]),
                  fmt::format("radix = {}, or fewer cables", used[at]));
    }
  }

  const FabricInput& input_;
  const ConfigNode& config_;
  CustomSwitches switches_;
  NicNames nics_;
  std::vector<CableKind> kinds_;
  std::vector<CustomTier> tiers_;
  std::vector<CustomGraph::Cables> cables_;
  std::vector<std::uint32_t> switch_of_port_, kind_of_port_;
};

}  // namespace

std::unique_ptr<const Fabric> make_custom(const FabricInput& input) {
  Reader reader(input);
  reader.read();
  return reader.fabric();
}

}  // namespace ringspan
