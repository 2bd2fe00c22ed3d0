#pragma once

// Calibrated constants: what launches, steps and copies cost. They live in profile files (data with
// provenance), never in code. The built-in ones start from NCCL's own published tables
// (src/graph/tuning.cc, 2.28.9) per GPU generation; `--profile FILE` brings others.
//
// Meaning of a step latency: one hop of the protocol over the reference path of its link class (one
// switch in between), wire included. A longer path adds what it has more than `reference_wire`.
// The format is documented in docs/profiles.md.

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

struct PresetShare {
  std::string preset;  // "nvlink4", "pcie5"
  double share = 1.0;
};

struct Profile {
  std::string name;  // "nccl-hopper"
  std::string description;
  std::string nccl;  // the NCCL version whose constants these are: "2.28.9"
  std::string source;
  int least_compute_capability = 0;  // serves GPUs from this one up to the next profile's

  std::vector<AlgorithmCost> algorithms;  // "default" serves those not named

  // What NCCL's kernels get of a link's payload rate: per link kind where the profile names it,
  // else per link class. See share_of().
  std::array<double, 5> link_share{1, 1, 1, 1, 1};  // indexed by LinkClass
  std::vector<PresetShare> preset_share;
  // Wire latency that a step latency already contains.
  std::array<Duration, 5> reference_wire{};  // indexed by LinkClass

  // Rate limits of the copying kernels, in payload bytes that one GPU sends (a tree's way up and
  // way down together); absent: none. A channel is one of those the kernels run, after NCCL's
  // doubling.
  std::optional<Bandwidth> ll_rate_per_gpu;  // over all channels
  std::optional<Bandwidth> ll128_ring_rate_per_channel;
  std::optional<Bandwidth> ll128_tree_rate_per_channel;
  std::optional<Bandwidth> simple_tree_rate_per_channel;
  // A transfer staged through host memory: what it gets of its links while both directions are
  // busy.
  double staging_efficiency = 1.0;

  // In-switch reduction and multicast: what is left of a GPU's NVLink rate after link_share.
  double nvls_efficiency = 1.0;
  int nvls_channels = 0;             // on one node; 0: the generation has no NVLS
  int nvls_channels_over_nodes = 0;  // where several take part

  const AlgorithmCost& cost_of(std::string_view algorithm) const;
  double share_of(LinkClass link_class, std::string_view preset) const;
};

// Throws InputError; calls document.finish().
Profile read_profile(ConfigDocument& document);

std::span<const EmbeddedFile> builtin_profile_files();
std::vector<Profile> builtin_profiles();
// The built-in profile for a GPU: the one with the highest least_compute_capability not above it.
const Profile& profile_for(const std::vector<Profile>& profiles, int compute_capability);

}  // namespace ringspan
