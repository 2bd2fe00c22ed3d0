#include "models/nccl/tuner_constants.h"

#include <algorithm>

namespace ringspan {

namespace {

constexpr std::size_t kTree = static_cast<std::size_t>(TunerAlgorithm::Tree);
constexpr std::size_t kDirect = static_cast<std::size_t>(TunerAlgorithm::CollNetDirect);
constexpr std::size_t kChain = static_cast<std::size_t>(TunerAlgorithm::CollNetChain);
constexpr std::size_t kNvls = static_cast<std::size_t>(TunerAlgorithm::Nvls);
constexpr std::size_t kNvlsTree = static_cast<std::size_t>(TunerAlgorithm::NvlsTree);
constexpr std::size_t kSimple = static_cast<std::size_t>(Protocol::Simple);
constexpr std::size_t kHopper = 2;
constexpr std::size_t kBlackwell = 3;

// The newest patch of every minor version of NCCL 2.
constexpr std::array<NcclVersion, 13> kNewestPatches = {{{2, 18, 6},
                                                         {2, 19, 4},
                                                         {2, 20, 5},
                                                         {2, 21, 5},
                                                         {2, 22, 3},
                                                         {2, 23, 4},
                                                         {2, 24, 3},
                                                         {2, 25, 1},
                                                         {2, 26, 6},
                                                         {2, 27, 7},
                                                         {2, 28, 9},
                                                         {2, 29, 7},
                                                         {2, 30, 7}}};

TunerConstants newest() {
  TunerConstants c;
  //          Tree                Ring               Direct       Chain        NVLS       NVLSTree
  //          PAT
  c.base = {{{6.8, 14.0, 8.4}, {6.6, 14.0, 8.4}, {}, {}, {}, {}, {8.0, 8.0, 8.0}}};
  c.nvlink = {{{0.6, 1.25, 4.0},
               {0.6, 1.9, 3.4},
               {0, 0, 3.7},
               {0, 0, 2.8},
               {0, 0, 25},
               {0, 0, 25},
               {0, 0, 4.0}}};
  c.pcie = {{{1.0, 1.9, 4.0}, {1.0, 2.5, 5.7}, {0, 0, 3.7}, {0, 0, 2.8}, {}, {}, {0, 0, 4.0}}};
  c.network = {{{5.0, 8.5, 14.0},
                {2.7, 4.0, 14.0},
                {0, 0, 31},
                {0, 0, 30},
                {0, 0, 18},
                {0, 0, 20.9},
                {0, 0, 14}}};
  c.ll_most = {{{39.0, 39.0, 20.4}, {87.7, 22.5, 19.0}, {141, 45, 35}, {282, 90, 70}}};
  c.ring_ll128 = {{{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 36.7}, {40, 40, 40}}};
  c.tree_ll128 = {{{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29.0}, {55.6, 31.67, 20.0}}};
  c.tree = {{{26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {38.7, 41.4, 36.0}, {70.0, 42.8, 24.0}}};
  c.nvls_tree = {{{26.5, 18.5, 10.0}, {24.0, 23.6, 17.8}, {0, 57.7, 45.5}, {0, 96.0, 80.0}}};
  c.nvls_efficiency = {0, 0, 0.85, 0.74};
  c.tree_correction = {
      {{1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
       {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
       {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
        .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}}};
  c.pat_efficiency = 0.75;
  return c;
}

void set_simple(ByAlgorithmAndProtocol& table, std::size_t algorithm, double value) {
  table[algorithm][kSimple] = value;
}

// Blackwell came with twice Hopper's figures; 2.28 measured them.
void double_hopper(ByGeneration& table) {
  for (std::size_t i = 0; i < table[kBlackwell].size(); ++i) {
    table[kBlackwell][i] = 2 * table[kHopper][i];
  }
}

// What was different in versions before 2.28.
void undo_2_28(TunerConstants& c) {
  set_simple(c.network, kNvlsTree, 14);
  c.nvls_by_efficiency = false;
  double_hopper(c.ring_ll128);
  double_hopper(c.tree_ll128);
  double_hopper(c.tree);
}

void undo_2_23(TunerConstants& c) {
  c.pat_efficiency = 0;
  set_simple(c.base, kTree, 0);
  set_simple(c.nvlink, kTree, 28);
  set_simple(c.pcie, kTree, 28);
  set_simple(c.network, kTree, 28);
  c.gathers_unscaled = false;
  c.ring_ll128_alone = 0.7;
  c.extra_ring_steps = 2;
  c.exposed_network_steps = false;
}

void undo_2_21(TunerConstants& c) {
  set_simple(c.nvlink, kNvls, 23);
  set_simple(c.nvlink, kNvlsTree, 23);
  c.ll_most[kHopper] = c.ll_most[kHopper - 1];
  c.ring_ll_thirds = true;
}

void undo_2_19(TunerConstants& c) {
  c.base[kDirect] = c.base[kChain] = {6.8, 14.0, 0};
  for (const std::size_t algorithm : {kNvls, kNvlsTree}) {
    set_simple(c.base, algorithm, 23);
    set_simple(c.nvlink, algorithm, 0);
  }
  set_simple(c.nvlink, kTree, 4);
  set_simple(c.pcie, kTree, 6);
  set_simple(c.network, kTree, 14);
  set_simple(c.nvlink, kDirect, 8.0);
  set_simple(c.nvlink, kChain, 4.75);
  set_simple(c.pcie, kDirect, 8.0);
  set_simple(c.pcie, kChain, 8.0);
  set_simple(c.network, kDirect, 10.7);
  set_simple(c.network, kChain, 14);
  set_simple(c.network, kNvlsTree, 19);
  c.nvls_gathers = false;
}

}  // namespace

std::string_view tuner_algorithm_name(TunerAlgorithm algorithm) {
  static constexpr std::array<std::string_view, kTunerAlgorithms.size()> kNames = {
      "tree", "ring", "collnetdirect", "collnetchain", "nvls", "nvlstree", "pat"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

std::optional<TunerAlgorithm> tuner_algorithm_of(std::string_view name) {
  for (const TunerAlgorithm algorithm : kTunerAlgorithms) {
    if (tuner_algorithm_name(algorithm) == name) return algorithm;
  }
  return std::nullopt;
}

NcclVersion newest_nccl_version() { return kNewestPatches.back(); }

NcclVersion resolved_nccl_version(const NcclVersion& version) {
  if (version < kOldestNccl) return kNewestPatches.front();
  for (const NcclVersion& known : kNewestPatches) {
    if (known.major == version.major && known.minor == version.minor && version.patch < 0) {
      return known;
    }
  }
  return version;
}

TunerConstants tuner_constants(const NcclVersion& asked) {
  const NcclVersion version = resolved_nccl_version(asked);
  const auto before = [&](int minor, int patch = 0) {
    return version < NcclVersion{2, minor, patch};
  };
  TunerConstants c = newest();
  if (before(30)) {
    c.nvls_tree[kBlackwell][2] = 43.8;
    c.ll128_mixes_capabilities = false;
  }
  if (before(29, 7)) c.ring_ll128[kBlackwell] = {34.5, 34.6, 34.5};
  if (before(29)) {
    c.corrects_nvls_tree = false;
    c.ring_ll128[kBlackwell] = {73.4, 34.6, 73.4};
  }
  if (before(28, 9)) {
    c.ring_ll128[kBlackwell][1] = 73.4;
    c.nvls_tree[kBlackwell][2] = 43.1;
  }
  if (before(28)) undo_2_28(c);
  if (before(27)) {
    c.nvls_gathers_from_peers = false;
    c.ll128_listed_capabilities = true;
  }
  if (before(24)) c.pat_efficiency = 0.85;
  if (before(23)) undo_2_23(c);
  if (before(21)) undo_2_21(c);
  if (before(20)) c.collnet_gathers = false;
  if (before(19)) undo_2_19(c);
  return c;
}

}  // namespace ringspan
