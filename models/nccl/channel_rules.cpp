#include "models/nccl/channel_rules.h"

#include <algorithm>

namespace ringspan {

std::span<const double> speed_classes(int compute_capability, const NcclVersion& version) {
  static constexpr double kUpTo80[] = {40, 30, 20, 18, 15, 12, 10, 9, 7, 6, 5, 4, 3};
  static constexpr double k90[] = {60, 50, 40, 30, 24, 20, 15, 12, 11, 6, 3};
  static constexpr double k100[] = {90, 80, 70, 60, 50, 40, 30, 24, 20, 19, 18};
  static constexpr double k100From229[] = {90, 80, 70, 60, 50, 45, 40, 30, 24, 20, 19, 18};
  if (compute_capability >= 100 && version >= NcclVersion{2, 29}) return k100From229;
  if (compute_capability >= 100) return k100;
  if (compute_capability >= 90) return k90;
  return kUpTo80;
}

std::span<const double> network_speed_classes(int compute_capability, const NcclVersion& version) {
  static constexpr double kUpTo80[] = {48, 30, 28, 24, 20, 18,  15,  12,  10, 9,
                                       7,  6,  5,  4,  3,  2.4, 1.2, .24, .12};
  static constexpr double k90[] = {48, 45, 42, 40, 30,  24,  22,  20, 17.5,
                                   15, 12, 6,  3,  2.4, 1.2, .24, .12};
  static constexpr double k100[] = {96,   48, 45.1, 42, 40, 30,  24,  22,  20,
                                    17.5, 15, 12,   6,  3,  2.4, 1.2, .24, .12};
  static constexpr double k100From230[] = {96, 86,   80, 48, 45.1, 42, 40,  30,  24,  22,
                                           20, 17.5, 15, 12, 6,    3,  2.4, 1.2, .24, .12};
  if (compute_capability >= 100 && version >= NcclVersion{2, 30}) return k100From230;
  if (compute_capability >= 100) return k100;
  if (compute_capability >= 90) return k90;
  return kUpTo80;
}

std::size_t duplicated(std::size_t count, double rate, int compute_capability) {
  constexpr double kLeastRate = 25;
  if (rate < kLeastRate) return count;
  if (compute_capability > 80 && rate < 50 && count > 4) return count;
  return std::min(2 * count, kMostSearchChannels);
}

std::size_t kernel_channels(std::size_t search_channels, double rate, int nodes,
                            int compute_capability) {
  const std::size_t doubled = 2 * search_channels;
  const bool again = compute_capability >= 90 && nodes > 1 && rate > 45 && doubled < 16;
  return again ? 2 * doubled : doubled;
}

}  // namespace ringspan
