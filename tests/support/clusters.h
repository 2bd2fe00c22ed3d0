#pragma once

// Small clusters for tests, made by hand. Rates are round and without efficiency loss.

#include <memory>
#include <string>

#include "topologies/fabrics/cluster.h"

namespace ringspan::testing {

// The routing of a fabric in which every fork has one way: its first.
std::unique_ptr<const PathChoice> only_way();

// Every port has a cable of `rate` up to one ideal switch and one down from it: link 2 p and 2 p
// + 1. 600 ns a cable, adapter included, so that NIC to NIC is 1.2 us. `joins_rails`: else every
// rail has a switch of its own, and ports of different rails are not joined.
std::shared_ptr<const Fabric> crossbar_fabric(std::vector<FabricPort> ports, Bandwidth rate,
                                              bool joins_rails = true);

// `gpus` GPUs of compute capability 9.0, each with 450 GB/s to one multicast NVSwitch (300 ns) and,
// under a PCIe switch of its own together with NIC i, 55 GB/s (110 ns a link); every PCIe switch
// under one CPU. Rail i is NIC i.
DomainKind nvlink_server(int gpus);

// `servers` of these on a crossbar whose ports carry `rate`.
Cluster servers_on_a_crossbar(int servers, int gpus,
                              Bandwidth rate = bandwidth_from_gbytes_per_second(50));

// The [fabric] that `text` describes between `servers` of `nics` NICs each. [[fault]] tables may
// follow, with switch; or from, to, cables; and rate.
std::shared_ptr<const Fabric> fabric_of(int servers, int nics, const std::string& text);

// `servers` of these on the [fabric] that `text` describes: "kind = \"leaf-spine\"\n...".
Cluster servers_on_fabric(int servers, int gpus, const std::string& text);

}  // namespace ringspan::testing
