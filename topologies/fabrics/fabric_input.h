#pragma once

// What a fabric's reader is given.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/base/registry.h"
#include "sim/config/config_node.h"
#include "topologies/fabrics/fabric.h"

namespace ringspan {

// [[fault]] of a switch or a cable; those of servers, NICs and GPUs are applied before the fabric
// is made.
struct FabricFault {
  ConfigNode table;         // for messages
  std::string switch_name;  // "spine3"; empty: a link
  // "leaf0", "spine3", "server3.nic2" (the NIC on rail 2): the cables between them, both
  // directions.
  std::string from, to;
  std::int64_t cables = 0;  // how many of them; 0: all
  double rate = 0;          // what is left, as a share: 0 = dead, 0.5 = half of the rate
};

struct FabricInput {
  ConfigNode config;  // the [fabric] table
  const LinkPresets& presets;
  std::vector<FabricPort> ports;  // in order: domain by domain, NIC by NIC
  std::vector<FabricFault> faults;
  std::uint64_t seed = 0;
  // [[pod]]s: pod_of_domain[domain], from 0; all 0 where there is one kind of pod.
  std::vector<std::int32_t> pod_of_domain;
};

// Throws InputError at the key that is wrong, with what would fit. Reads every key it knows;
// unknown ones are reported by ConfigDocument::finish().
using FabricFactory = std::unique_ptr<const Fabric> (*)(const FabricInput& input);

// single-switch, leaf-spine, fat-tree, rail-optimized, rail-only, dragonfly, torus, custom.
Registry<FabricFactory> builtin_fabrics();

}  // namespace ringspan
