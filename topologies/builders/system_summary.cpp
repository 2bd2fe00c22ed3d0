// What `ringspan list` shows of a system.

#include <algorithm>
#include <limits>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/limits.h"
#include "topologies/builders/system.h"
#include "topologies/builders/system_header.h"
#include "topologies/builders/system_sections.h"
#include "topologies/builders/use_chain.h"

namespace ringspan {

namespace {

int gpus_of(const ConfigNode& node) {
  std::int64_t gpus = 0;
  for (const ConfigNode& table : node.children("device")) {
    if (table.text("kind") != "gpu") continue;
    gpus += given(table, "count") ? table.integer("count", 1, kMaxDevices) : 1;
  }
  return static_cast<int>(std::min(gpus, kMaxDevices));
}

int servers_of(const SystemSections& sections) {
  std::int64_t servers = 0;
  for (const ConfigNode& pod : sections.pods) {
    servers = std::min(kMaxServers, servers + pod.integer("count", 1, kMaxServers));
  }
  if (sections.counted) servers = sections.counted->integer("count", 1, kMaxServers);
  if (servers > 0) return static_cast<int>(servers);
  const bool racks = sections.fabric && sections.fabric->text("kind") == "nvlink-domain";
  return racks ? static_cast<int>(sections.fabric->integer("servers", 1, kMaxServers)) : 1;
}

}  // namespace

SystemInfo read_system_summary(ConfigDocument& document, const SystemFinder& find) {
  const UseChain chain(document, find, {});
  SystemInfo info = read_system_header(document.root());
  const SystemSections sections = find_sections(chain);
  info.servers = servers_of(sections);
  if (!sections.pods.empty() && given(sections.pods.front(), "use")) {
    info.gpus = gpus_of(UseChain(sections.pods.front(), find).wiring());
  } else if (!chain.nodes().empty()) {
    info.gpus = gpus_of(chain.wiring());
  }
  return info;
}

}  // namespace ringspan
