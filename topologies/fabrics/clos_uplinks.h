#pragma once

// How many cables lead up from a switch.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/config_node.h"
#include "topologies/fabrics/clos_request.h"

namespace ringspan {

// k:1 means: capacity up = capacity down / k, so
// uplinks = down_cables x down_rate x ratio.up / (ratio.down x up_rate), a fraction in general.
struct UplinkDemand {
  std::int64_t down_cables = 0;
  Bandwidth down_rate, up_rate;
  Oversubscription ratio;

  std::int64_t whole() const;  // rounded down
  bool exact() const;          // nothing was rounded away
  std::int64_t at_least() const { return whole() + (exact() ? 0 : 1); }
  double value() const;
  // What `uplinks` cables are: "33:8".
  std::string ratio_of(std::int64_t uplinks) const;
};

// "1 cable", "4 cables".
std::string counted(std::int64_t count, std::string_view one, std::string_view several);

// For messages.
struct UplinkSwitch {
  std::string_view name, above;  // "leaf", "spines"
  std::string_view below;        // "NIC ports"
  std::string_view preset;       // of the uplinks
};

// Ratio given: the exact number, else a refusal at `oversubscription` with the nearest ratios that
// are whole cables.
std::int64_t whole_uplinks(const ConfigNode& config, const UplinkDemand& demand,
                           const UplinkSwitch& who);

// The divisor of `number` nearest to `wanted`, at most and at least it.
std::int64_t divisor_at_most(std::int64_t number, std::int64_t wanted);
std::optional<std::int64_t> divisor_at_least(std::int64_t number, std::int64_t wanted);

}  // namespace ringspan
