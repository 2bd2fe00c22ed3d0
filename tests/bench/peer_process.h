#pragma once

// The bench's collectives, run as single transfers over the engine's public seam.

#include <cstdint>
#include <memory>

#include "sim/network/simulation.h"
#include "tests/bench/peer_fabric.h"
#include "tests/bench/peer_options.h"

namespace ringspan::bench {

class PeerProcess : public Process {
 public:
  std::int64_t completed() const { return completed_; }

 protected:
  std::int64_t completed_ = 0;  // transfers delivered
};

// The fabric must outlive the process.
std::unique_ptr<PeerProcess> make_peer_process(const PeerOptions& options,
                                               const PeerFabric& fabric);

// The network that `options` names, over the fabric's links.
std::unique_ptr<NetworkModel> make_peer_network(const PeerOptions& options,
                                                const PeerFabric& fabric);

struct PeerResult {
  double simulated_us = 0;
  std::int64_t flows = 0;  // transfers delivered
};

// Runs the case to its end; throws std::runtime_error if it stalls.
PeerResult run_peer_case(const PeerOptions& options, const PeerFabric& fabric,
                         NetworkModel& network);

}  // namespace ringspan::bench
