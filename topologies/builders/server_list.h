#pragma once

// How many servers there are, and of which types: [node] count, or [[pod]]s; --nodes and --gpus.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "topologies/builders/server_reading.h"
#include "topologies/builders/system.h"
#include "topologies/builders/system_sections.h"

namespace ringspan {

// Alike servers in a row.
struct Pod {
  std::string name;
  std::size_t type = 0;  // index into ServerList::types
  std::int64_t servers = 1;
};

struct ServerList {
  std::vector<DomainDraft> types;
  std::vector<Pod> pods;          // in order; one without a name where the file has none
  std::int64_t file_servers = 1;  // what the file says
  bool has_pods = false;
  SourcePosition asked_at;  // who asks for another number of servers, for messages

  std::int64_t servers() const;
};

// The files pods use; they must live until everything is read.
using PodChains = std::vector<std::unique_ptr<UseChain>>;

// `servers_by_default`: without count and pods. Appends to info's notes and sources. Throws
// InputError: a wrong count, more servers than kMaxServers, anything wrong with a server.
ServerList read_servers(const UseChain& chain, const SystemSections& sections,
                        const ServerContext& context, const SystemFinder& find,
                        std::int64_t servers_by_default, PodChains& chains, SystemInfo& info);

// Servers are left out from the end or added; pods cannot grow. Throws InputError: too many.
void resize_servers(ServerList& list, const SystemSize& size);
// Adds servers where `gpus` were asked for and faults have left `alive` of them; says whether it
// did. Pods cannot grow.
bool replace_dead_gpus(ServerList& list, const SystemSize& size, std::int64_t alive);

}  // namespace ringspan
