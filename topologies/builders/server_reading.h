#pragma once

// [node] and what it uses become one server.

#include <string>
#include <vector>

#include "models/links/link_preset.h"
#include "topologies/builders/domain_draft.h"
#include "topologies/builders/use_chain.h"

namespace ringspan {

struct ServerContext {
  const LinkPresets& presets;
  std::vector<std::string> networks;  // that a NIC may be on
  // GPUs need not be joined in the server: the NVSwitches of a rack do that.
  bool joined_outside = false;
};

// Appends what was derived to `notes`. Throws InputError.
DomainDraft read_server(const UseChain& chain, const ServerContext& context,
                        std::vector<std::string>& notes);

}  // namespace ringspan
