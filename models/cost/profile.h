#pragma once

// Calibrated constants: what launches, steps and copies cost. They live in profile files (data with
// provenance), never in code. The built-in ones start from NCCL's own published tables
// (src/graph/tuning.cc, 2.28.9) per GPU generation; `--profile FILE` brings others.
//
// Meaning of a step latency: one hop of the protocol over the reference path of its link class (one
// switch in between), wire included. A longer path adds what it has more than `reference_wire`.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/protocol.h"
#include "models/links/link_class.h"
#include "sim/base/embedded_file.h"
#include "sim/base/units.h"
#include "sim/config/config_node.h"

namespace ringspan {

// Indexed by Protocol.
using PerProtocol = std::array<Duration, 3>;

struct AlgorithmCost {
  std::string algorithm;       // "ring", "tree", ...
  PerProtocol base{};          // once per collective, launch included
  PerProtocol nvlink_step{};   // per step over NVLink (or C2C)
  PerProtocol pcie_step{};     // per step over PCIe or a socket link
  PerProtocol network_step{};  // per step over a network
};

struct Profile {
  std::string name;  // "nccl-hopper"
  std::string description;
  std::string nccl;  // the NCCL version whose constants these are: "2.28.9"
  std::string source;
  int least_compute_capability = 0;  // serves GPUs from this one up to the next profile's

  std::vector<AlgorithmCost> algorithms;  // "default" serves those not named

  // What NCCL's kernels get of a link's payload rate, per link class.
  std::array<double, 5> link_share{1, 1, 1, 1, 1};  // indexed by LinkClass
  // Wire latency that a step latency already contains.
  std::array<Duration, 5> reference_wire{};  // indexed by LinkClass

  // Rate limits of the copying kernels; absent: none.
  std::optional<Bandwidth> ll_rate_per_gpu;  // payload bytes sent by one GPU with LL
  std::optional<Bandwidth> ll128_ring_rate_per_channel;
  std::optional<Bandwidth> ll128_tree_rate_per_channel;
  std::optional<Bandwidth> simple_tree_rate_per_channel;
  double nvls_efficiency = 1.0;  // of a GPU's NVLink rate, with in-switch reduction or multicast
  int nvls_channels = 0;         // 0: the generation has no NVLS

  const AlgorithmCost& cost_of(std::string_view algorithm) const;
};

// Throws InputError; calls document.finish().
Profile read_profile(ConfigDocument& document);

std::span<const EmbeddedFile> builtin_profile_files();
std::vector<Profile> builtin_profiles();
// The built-in profile for a GPU: the one with the highest least_compute_capability not above it.
const Profile& profile_for(const std::vector<Profile>& profiles, int compute_capability);

}  // namespace ringspan
