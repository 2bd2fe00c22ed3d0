#include "topologies/fabrics/cable_health.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace ringspan {

namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::string port_name(const FabricPort& port) {
  return fmt::format("server{}.nic{}", port.server, port.rail);
}

// Puts faults into a CableHealth, one after the other; those of one cable multiply.
class CableHealth::Reader {
 public:
  Reader(CableHealth& health, const FabricInput& input, const SwitchGraph& graph,
         const std::vector<std::uint32_t>& switch_of_port)
      : health_(health), input_(input), graph_(graph), switch_of_port_(switch_of_port) {}

  void read(const FabricFault& fault) {
    if (!fault.switch_name.empty()) {
      apply_to_switch(fault, switch_at(fault, "switch", fault.switch_name));
      return;
    }
    const std::optional<std::uint32_t> from_port = find_port(fault.from);
    const std::optional<std::uint32_t> to_port = find_port(fault.to);
    if (from_port && to_port) {
      fault.table.fail("to", fmt::format("no cable joins {} and {}", fault.from, fault.to),
                       "NICs hang on switches");
    }
    if (from_port) return apply_to_port(fault, *from_port, "to", fault.to);
    if (to_port) return apply_to_port(fault, *to_port, "from", fault.from);
    apply_between(fault, switch_at(fault, "from", fault.from), switch_at(fault, "to", fault.to));
  }

 private:
  std::uint32_t switch_at(const FabricFault& fault, std::string_view key,
                          const std::string& name) const {
    if (const auto found = graph_.find_switch(name)) return *found;
    fault.table.fail(
        key, fmt::format("the fabric has no '{}'", name),
        fmt::format("switches are called {} to {}, NICs such as {}", graph_.switch_name(0),
                    graph_.switch_name(graph_.switch_count() - 1),
                    port_name(input_.ports.front())));
  }

  std::optional<std::uint32_t> find_port(const std::string& name) const {
    if (!name.starts_with("server")) return std::nullopt;
    for (std::uint32_t port = 0; port < input_.ports.size(); ++port) {
      if (port_name(input_.ports[port]) == name) return port;
    }
    return std::nullopt;
  }

  void apply_to_switch(const FabricFault& fault, std::uint32_t number) {
    if (fault.rate == 0) {
      health_.dead_.insert(number);
      return;
    }
    std::set<std::uint32_t> neighbours;
    std::vector<SwitchBundle> out;
    graph_.bundles(number, out);
    for (const SwitchBundle& bundle : out) neighbours.insert(bundle.to);
    for (const std::uint32_t neighbour : neighbours) {
      scale_some(number, neighbour, kAll, fault.rate);
      scale_some(neighbour, number, kAll, fault.rate);
    }
    for (std::uint32_t port = 0; port < switch_of_port_.size(); ++port) {
      if (switch_of_port_[port] == number) scale_port(port, fault.rate);
    }
  }

  void apply_to_port(const FabricFault& fault, std::uint32_t port, std::string_view key,
                     const std::string& name) {
    const std::uint32_t number = switch_at(fault, key, name);
    if (switch_of_port_[port] != number) {
      fault.table.fail(key, fmt::format("no cable joins {} and {}", fault.from, fault.to),
                       fmt::format("{} hangs on {}", port_name(input_.ports[port]),
                                   graph_.switch_name(switch_of_port_[port])));
    }
    if (fault.cables > 1) {
      fault.table.fail("cables", "a NIC hangs on one cable", "leave cables out");
    }
    scale_port(port, fault.rate);
  }

  void apply_between(const FabricFault& fault, std::uint32_t from, std::uint32_t to) {
    std::vector<SwitchBundle> out;
    graph_.bundles(from, out);
    std::erase_if(out, [&](const SwitchBundle& bundle) { return bundle.to != to; });
    if (out.empty()) fail_unlinked(fault, from);
    std::int64_t there = 0;
    for (const SwitchBundle& bundle : out) there += bundle.cables;
    if (fault.cables > there) {
      fault.table.fail("cables",
                       fmt::format("{} and {} are joined by {} cable{}", fault.from, fault.to,
                                   there, there == 1 ? "" : "s"),
                       fmt::format("at most {}", there));
    }
    const std::int64_t hit = fault.cables == 0 ? kAll : fault.cables;
    scale_some(from, to, hit, fault.rate);
    scale_some(to, from, hit, fault.rate);
  }

  [[noreturn]] void fail_unlinked(const FabricFault& fault, std::uint32_t from) const {
    constexpr std::size_t kNamed = 6;
    std::vector<SwitchBundle> out;
    graph_.bundles(from, out);
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, out.size()); ++i) {
      names += (i == 0 ? "" : ", ") + graph_.switch_name(out[i].to);
    }
    if (out.size() > kNamed) names += ", ...";
    fault.table.fail("to", fmt::format("no cable joins {} and {}", fault.from, fault.to),
                     fmt::format("cables lead from {} to {}", fault.from, names));
  }

  // The first `cables` of those from one switch to another.
  void scale_some(std::uint32_t from, std::uint32_t to, std::int64_t cables, double rate) {
    std::vector<SwitchBundle> out;
    graph_.bundles(from, out);
    for (const SwitchBundle& bundle : out) {
      if (bundle.to != to || cables == 0) continue;
      std::vector<double>& left =
          health_.bundles_.try_emplace(bundle.first_link, bundle.cables, 1.0).first->second;
      const auto hit = static_cast<std::size_t>(std::min<std::int64_t>(cables, bundle.cables));
      for (std::size_t cable = 0; cable < hit; ++cable) left[cable] *= rate;
      cables -= static_cast<std::int64_t>(hit);
    }
  }

  void scale_port(std::uint32_t port, double rate) {
    health_.ports_.try_emplace(port, 1.0).first->second *= rate;
  }

  CableHealth& health_;
  const FabricInput& input_;
  const SwitchGraph& graph_;
  const std::vector<std::uint32_t>& switch_of_port_;
};

CableHealth::CableHealth(const FabricInput& input, const SwitchGraph& graph,
                         const std::vector<std::uint32_t>& switch_of_port) {
  Reader reader(*this, input, graph, switch_of_port);
  for (const FabricFault& fault : input.faults) reader.read(fault);
}

double CableHealth::cable(const SwitchBundle& bundle, std::uint32_t number) const {
  if (is_dead(bundle.from) || is_dead(bundle.to)) return 0;
  const auto found = bundles_.find(bundle.first_link);
  return found == bundles_.end() ? 1.0 : found->second[number];
}

double CableHealth::port(std::uint32_t port) const {
  const auto found = ports_.find(port);
  return found == ports_.end() ? 1.0 : found->second;
}

double CableHealth::bundle(const SwitchBundle& bundle) const {
  if (is_dead(bundle.from) || is_dead(bundle.to)) return 0;
  const auto found = bundles_.find(bundle.first_link);
  if (found == bundles_.end()) return bundle.cables;
  double sum = 0;
  for (const double left : found->second) sum += left;
  return sum;
}

double CableHealth::slowest(const SwitchBundle& bundle) const {
  if (is_dead(bundle.from) || is_dead(bundle.to)) return 0;
  const auto found = bundles_.find(bundle.first_link);
  if (found == bundles_.end()) return 1;
  double least = 0;
  for (const double left : found->second) {
    if (left > 0 && (least == 0 || left < least)) least = left;
  }
  return least;
}

std::uint32_t CableHealth::alive(const SwitchBundle& bundle) const {
  if (is_dead(bundle.from) || is_dead(bundle.to)) return 0;
  const auto found = bundles_.find(bundle.first_link);
  if (found == bundles_.end()) return bundle.cables;
  std::uint32_t count = 0;
  for (const double left : found->second) count += left > 0 ? 1 : 0;
  return count;
}

std::uint32_t CableHealth::alive_cable(const SwitchBundle& bundle, std::uint32_t index) const {
  const auto found = bundles_.find(bundle.first_link);
  if (found == bundles_.end()) return index;
  std::uint32_t cable = 0;
  for (; found->second[cable] <= 0 || index > 0; ++cable) index -= found->second[cable] > 0 ? 1 : 0;
  return cable;
}

}  // namespace ringspan
