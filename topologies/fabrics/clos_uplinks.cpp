#include "topologies/fabrics/clos_uplinks.h"

#include <algorithm>
#include <numeric>
#include <string>

#include <fmt/format.h>

namespace ringspan {

namespace {

// Down and up as products fit 64 bits only while rates share a large factor; take all of 128.
__extension__ using Wide = __int128;

Wide offered(const UplinkDemand& demand) {
  return static_cast<Wide>(demand.down_cables) * demand.down_rate.bits_per_second * demand.ratio.up;
}

Wide per_uplink(const UplinkDemand& demand) {
  return static_cast<Wide>(demand.up_rate.bits_per_second) * demand.ratio.down;
}

}  // namespace

std::int64_t UplinkDemand::whole() const {
  return static_cast<std::int64_t>(offered(*this) / per_uplink(*this));
}

bool UplinkDemand::exact() const { return offered(*this) % per_uplink(*this) == 0; }

double UplinkDemand::value() const {
  return static_cast<double>(offered(*this)) / static_cast<double>(per_uplink(*this));
}

std::string UplinkDemand::ratio_of(std::int64_t uplinks) const {
  const std::int64_t common = std::gcd(down_rate.bits_per_second, up_rate.bits_per_second);
  return oversubscription_text(down_cables * (down_rate.bits_per_second / common),
                               uplinks * (up_rate.bits_per_second / common));
}

std::string counted(std::int64_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::int64_t whole_uplinks(const ConfigNode& config, const UplinkDemand& demand,
                           const UplinkSwitch& who) {
  if (demand.exact() && demand.whole() > 0) return demand.whole();
  const std::int64_t below = std::max<std::int64_t>(demand.whole(), 1);
  const std::int64_t above = demand.whole() + 1;
  std::string hint = fmt::format("{} {} \"{}\"", counted(below, "uplink", "uplinks"),
                                 below == 1 ? "is" : "are", demand.ratio_of(below));
  if (above != below) hint += fmt::format(", {} are \"{}\"", above, demand.ratio_of(above));
  config.fail("oversubscription",
              fmt::format("{}:{} above the {} {} of a {} is {:.4g} uplinks of {}: no whole cables",
                          demand.ratio.down, demand.ratio.up, demand.down_cables, who.below,
                          who.name, demand.value(), who.preset),
              hint);
}

std::int64_t divisor_at_most(std::int64_t number, std::int64_t wanted) {
  std::int64_t candidate = std::min(number, wanted);
  while (number % candidate != 0) --candidate;
  return candidate;
}

std::optional<std::int64_t> divisor_at_least(std::int64_t number, std::int64_t wanted) {
  for (std::int64_t candidate = wanted; candidate <= number; ++candidate) {
    if (number % candidate == 0) return candidate;
  }
  return std::nullopt;
}

}  // namespace ringspan
