#pragma once

// What is left of a fabric's switches and cables after its [[fault]]s. Nothing is stored for what
// is well.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "topologies/fabrics/fabric_input.h"
#include "topologies/fabrics/switch_graph.h"

namespace ringspan {

class CableHealth {
 public:
  CableHealth() = default;
  // Throws InputError at a fault of what does not exist. switch_of_port: by port of the input.
  CableHealth(const FabricInput& input, const SwitchGraph& graph,
              const std::vector<std::uint32_t>& switch_of_port);

  bool all_well() const { return dead_.empty() && bundles_.empty() && ports_.empty(); }
  bool is_dead(std::uint32_t switch_number) const { return dead_.contains(switch_number); }
  // What is left, as a share of a healthy one: 0 = dead.
  double cable(const SwitchBundle& bundle, std::uint32_t number) const;
  double port(std::uint32_t port) const;
  // The sum of cable() over the bundle.
  double bundle(const SwitchBundle& bundle) const;
  // The least of cable() over the cables that are not dead; 0 if all are.
  double slowest(const SwitchBundle& bundle) const;
  // How many cables are not dead, and the `index`-th of these.
  std::uint32_t alive(const SwitchBundle& bundle) const;
  std::uint32_t alive_cable(const SwitchBundle& bundle, std::uint32_t index) const;

 private:
  class Reader;
  std::set<std::uint32_t> dead_;                          // switches
  std::map<std::uint32_t, std::vector<double>> bundles_;  // by first link; a share a cable
  std::map<std::uint32_t, double> ports_;
};

// "server3.nic0": the server, counted over the cluster, and which of its NICs.
std::string port_name(const FabricPort& port);

}  // namespace ringspan
