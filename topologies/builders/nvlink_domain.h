#pragma once

// [fabric] kind = "nvlink-domain": trays of one or several racks, the GPUs of a rack joined by
// NVSwitches that sit outside of trays; [fabric.scale_out] joins racks.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/links/link_preset.h"
#include "topologies/builders/cluster_draft.h"

namespace ringspan {

struct NvlinkDomain {
  ConfigNode table;
  std::int64_t servers = 1;  // trays of a full domain
  std::int64_t switches = 1;
  Link link;  // of one GPU and one switch
  bool multicast = true;
  std::optional<ConfigNode> scale_out;
};

// nullopt where the fabric is of another kind, or there is none. Appends what was derived to
// `notes`. Throws InputError.
std::optional<NvlinkDomain> read_nvlink_domain(const std::optional<ConfigNode>& fabric,
                                               const LinkPresets& presets,
                                               std::vector<std::string>& notes);

// Trays fill domains in order; each pod begins a new one, and its last may be filled in part.
// Throws InputError: several domains and no [fabric.scale_out], a domain too large.
ClusterDraft nvlink_domains(const ServerList& list, const NvlinkDomain& domain);

}  // namespace ringspan
