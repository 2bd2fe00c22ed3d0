#pragma once

// Numbers NCCL's channel search works with, on one server and between several.
// Source: NCCL 2.28.9 src/graph/search.cc and src/graph/connect.cc.

#include <cstddef>
#include <span>

#include "models/collectives/nccl_version.h"

namespace ringspan {

// NCCL's limit for a ring graph: MAXCHANNELS / 2. Doubling after the search reaches MAXCHANNELS.
inline constexpr std::size_t kMostSearchChannels = 32;

// Once there is a solution, slower classes are tried down to this part of its rate.
inline constexpr double kWorthTrying = 0.49;

// The rates tried, GB/s, from high to low, by the least compute capability of the GPUs: on one
// server (45 from 2.29 on does not change which rings are found, since 90 is tried first and
// duplicated), and between servers.
std::span<const double> speed_classes(int compute_capability, const NcclVersion& version = {2, 28});
std::span<const double> network_speed_classes(int compute_capability,
                                              const NcclVersion& version = {2, 28});

// Fast rings become up to twice as many of a lower rate, for more thread blocks: how many there
// will be of `count` rings of `rate` GB/s; `count` where they stay.
std::size_t duplicated(std::size_t count, double rate, int compute_capability);

// Channels of the kernel that serve one channel of the search, as a rule: NCCL's limits per channel
// (src/graph/tuning.cc) are for one of the search.
inline constexpr int kChannelsPerSearchChannel = 2;

// The channels the kernels use of so many search channels of `rate` GB/s over `nodes` nodes:
// doubled; again where few fast ones (more than 45 GB/s) of Hopper or later span nodes.
std::size_t kernel_channels(std::size_t search_channels, double rate, int nodes,
                            int compute_capability);

}  // namespace ringspan
