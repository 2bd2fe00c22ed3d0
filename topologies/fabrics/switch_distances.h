#pragma once

// How far every switch is from a switch, over what is alive: breadth first from the destination,
// made when first asked for and kept while there is room.

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "topologies/fabrics/cable_health.h"
#include "topologies/fabrics/switch_graph.h"

namespace ringspan {

class SwitchDistances {
 public:
  static constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

  struct Table {
    std::vector<std::uint32_t> hops;     // by switch; kUnreached
    std::vector<std::uint32_t> nearest;  // switches that reach the destination, near ones first
    // Bit/s that a switch can send on over all shortest ways, each as wide as its narrowest cable,
    // as if nobody else sent; empty without rates.
    std::vector<double> onward;
  };

  // Graph and health must outlive this. rates: of one cable, by kind; empty: onward is not wanted.
  SwitchDistances(const SwitchGraph& graph, const CableHealth& health, std::vector<double> rates)
      : graph_(graph), health_(health), rates_(std::move(rates)) {}

  // Safe to call from several threads.
  std::shared_ptr<const Table> to(std::uint32_t end) const;

 private:
  std::shared_ptr<const Table> make(std::uint32_t end) const;
  void add_onward(Table& table) const;

  const SwitchGraph& graph_;
  const CableHealth& health_;
  std::vector<double> rates_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, std::shared_ptr<const Table>> tables_;
};

}  // namespace ringspan
