#pragma once

// Named small fabrics for tests, drawn in words.

#include <string>

#include "topologies/graph/topology.h"

namespace ringspan::testing {

// N GPUs of compute capability 9.0, each with one bundle of `rate` (payload = nominal) to one
// multicast NVSwitch, 300 ns a link.
Topology gpus_on_one_switch(int gpus, Bandwidth rate = bandwidth_from_gbytes_per_second(450));

// N GPUs of compute capability 9.0, every two joined by a link of `rate`, 450 ns.
Topology gpus_in_a_mesh(int gpus, Bandwidth rate);

// One CPU, one PCIe switch with `gpus` GPUs below it, every link `rate`, 110 ns.
Topology gpus_under_one_pcie_switch(int gpus, PeerReach reach,
                                    Bandwidth rate = bandwidth_from_gbytes_per_second(25));

// Two CPUs joined by a socket link of `socket`, half of the GPUs (direct attach, `rate`) on each.
Topology gpus_on_two_sockets(int gpus, PeerReach reach, Bandwidth rate, Bandwidth socket);

}  // namespace ringspan::testing
