#include "app/scenario/nccl_settings.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sim/base/quote.h"

namespace ringspan {

namespace {

template <typename Values, typename Value>
bool allows(const Values& values, const Value& value) {
  return values.empty() || std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

bool is_allowed(const NcclEnvironment& environment, std::string_view algorithm, Protocol protocol) {
  if (algorithm == "p2p") return true;
  if (environment.nvls == false && algorithm.starts_with("nvls")) return false;
  if (environment.collnet == false && algorithm.starts_with("collnet")) return false;
  return allows(environment.algorithms, algorithm) && allows(environment.protocols, protocol);
}

int allowed_channels(const NcclEnvironment& environment, int found) {
  const int least = environment.min_channels.value_or(1);
  const int most = environment.max_channels.value_or(std::numeric_limits<int>::max());
  return std::min(std::max(found, least), most);
}

SystemOverrides system_overrides(const NcclEnvironment& environment) {
  if (!environment.p2p_disabled) return {};
  return {{"node.peer_to_peer", "off"}};
}

std::vector<std::string> settings_without_effect(const NcclEnvironment& environment) {
  std::vector<std::string> notes;
  if (environment.net) {
    notes.push_back(fmt::format("NCCL_NET={} is not modelled: predicted without it",
                                harmless_text(*environment.net)));
  }
  if (environment.p2p_disabled) {
    notes.emplace_back("NCCL_P2P_DISABLE=1 is modelled for PCIe: NVLink is used all the same");
  }
  return notes;
}

}  // namespace ringspan
