#pragma once

// [[node.link]]: the cables and lanes of one server.

#include <string>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/config/config_node.h"
#include "topologies/builders/device_reading.h"
#include "topologies/builders/domain_draft.h"

namespace ringspan {

// Adds every link to the draft, appends what was derived to `notes`. Throws InputError: a wrong
// value, unknown preset or device, too many links.
void read_links(const ConfigNode& node, const LinkPresets& presets, const DeviceList& devices,
                DomainDraft& draft, std::vector<std::string>& notes);

// Throws InputError where links of the draft do not join all GPUs.
void check_reach(const ConfigNode& node, const DeviceList& devices, const DomainDraft& draft);

}  // namespace ringspan
