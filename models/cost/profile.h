#pragma once

// Calibrated constants: what launches, steps and copies cost. They live in profile files (data with
// provenance), never in code. The built-in ones start from NCCL's own published tables
// (src/graph/tuning.cc, 2.28.9) per GPU generation; `--profile FILE` brings others.
//
// Meaning of a step latency: one hop of the protocol over the reference path of its link class (one
// switch in between), wire included. A longer path adds what it has more than `reference_wire`.
// The format is documented in docs/profiles.md.

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/protocol.h"
#include "models/cost/fit_record.h"
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

// The call, whatever the algorithm: what of launch and start remains when calls follow one another
// back to back, as nccl-tests times them.
struct LaunchCost {
  Duration call{};
  // One thread that drives all GPUs launches on one after the other: a call takes no less than this
  // times the GPUs of a process, and for grouped send/receive this more for every peer of a GPU
  // beyond the first.
  Duration per_gpu{};
  Duration per_further_peer{};
};

// What a channel's threads cost once all of them have a first line of data; with less, the part of
// it.
struct ThreadCost {
  PerProtocol step{};  // more per step
  PerProtocol once{};  // more per collective
  // A step's latency contains the transmission of the first lines.
  bool first_lines_in_step = false;
};

// Grouped send/receive. Rates as Profile's.
struct P2pCost {
  Duration per_peer{};  // the kernel's work for every peer, whatever the size
  std::optional<Bandwidth> ll_per_channel;
  std::optional<Bandwidth> simple_per_channel;
  std::optional<Bandwidth> simple_per_gpu;  // all channels together
  // With which a receiver copies out of its buffer; the copy of the last chunk is not hidden behind
  // a transfer. Absent: no time.
  std::optional<Bandwidth> simple_copy_per_channel;
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
  bool by_name = false;              // serves nobody who does not name it
  bool without_nvlink = false;       // only GPUs that have none, and before all others

  LaunchCost launch;
  ThreadCost threads;
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
  std::optional<Bandwidth> ll_rate_per_channel;
  std::optional<Bandwidth> ll128_rate_per_gpu;  // all channels, beside the limits of one
  std::optional<Bandwidth> ll128_ring_rate_per_channel;
  std::optional<Bandwidth> ll128_tree_rate_per_channel;
  std::optional<Bandwidth> simple_tree_rate_per_channel;
  // At the end of a ring's loop a channel copies what it received last out of its buffer, while it
  // sends nothing: payload bytes. Absent: no time.
  std::array<std::optional<Bandwidth>, 3> copy_rate_per_channel;  // indexed by Protocol
  P2pCost p2p;
  // A transfer staged through host memory: what it gets of its links while both directions are
  // busy.
  double staging_efficiency = 1.0;

  // In-switch reduction and multicast: what is left of a GPU's NVLink rate after link_share.
  double nvls_efficiency = 1.0;
  Duration nvls_slice{};             // that a channel spends on each slice beside moving it
  int nvls_channels = 0;             // on one node; 0: the generation has no NVLS
  int nvls_channels_over_nodes = 0;  // where several take part

  // Where the values of a table come from, by its place in the file: "launch", "algorithm.ring".
  std::map<std::string, std::string> sources;
  std::optional<FitRecord> fit;  // absent: fitted to nothing

  const AlgorithmCost& cost_of(std::string_view algorithm) const;
  double share_of(LinkClass link_class, std::string_view preset) const;
};

// Throws InputError; calls document.finish().
Profile read_profile(ConfigDocument& document);

std::span<const EmbeddedFile> builtin_profile_files();
std::vector<Profile> builtin_profiles();
// The built-in profile for a GPU: the one with the highest least_compute_capability not above it.
const Profile& profile_for(const std::vector<Profile>& profiles, int compute_capability,
                           bool nvlink = true);

}  // namespace ringspan
