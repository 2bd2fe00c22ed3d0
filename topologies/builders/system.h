#pragma once

// A system file becomes a cluster. Code flow:
//   read_system(document, presets, find)
//     use_chain.h, system_sections.h    the files, and which of their tables decides
//     server_list.h                     [node] or [[pod]]s -> types of server and how many
//     cluster_draft.h                   domains, in order
//     nvlink_domain.h, fault_reading.h  racks; what is dead or slow
//     network_reading.h                 [fabric] -> Fabric over the NICs
//     build_cluster()                   -> Cluster
// The format is documented in docs/formats.md; the catalogue's files are examples of it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/config/config_node.h"
#include "topologies/fabrics/cluster.h"
#include "topologies/fabrics/fabric.h"
#include "topologies/graph/topology.h"

namespace ringspan {

// The network that [fabric] describes, and that collectives use unless [transport] names another.
inline constexpr const char* kComputeNetwork = "compute";

struct SystemInfo {
  std::string name;
  std::string description;           // one line for `ringspan list systems`
  std::vector<std::string> sources;  // where the numbers come from
  int gpus = 0;                      // GPUs of one server, the first
  int servers = 1;                   // by default; the cluster may have been asked for another size
  std::vector<std::string> notes;    // what was derived, e.g. "900 GB/s bidir = 450 GB/s each way"
};

// [transport]: how data leaves a domain.
struct TransportSettings {
  bool pxn = true;
  std::string network = kComputeNetwork;  // whose NICs carry collective traffic
};

// A network that carries no collective traffic.
struct SystemNetwork {
  std::string name;
  std::shared_ptr<const Fabric> fabric;
};

// A [[fault]], as `show` and notes name it.
struct SystemFault {
  SourcePosition where;
  std::string text;          // "server2.nic0: dead", "leaf0 - spine1: 2 cables at 50 % of the rate"
  std::int64_t server = -1;  // whose device it hits; -1: of a network or a rack
  std::string left_out;  // why it does not hold in a run of fewer servers than the file's; else ""
};

struct System {
  SystemInfo info;
  Cluster cluster;
  TransportSettings transport;
  std::vector<SystemNetwork> networks;   // in the order of the file
  std::vector<SystemFault> faults = {};  // in the order of the file

  // Of the first domain.
  const Topology& topology() const { return cluster.domain(0).topology; }
};

// Finds the text of another system by name, for `use = "NAME"`; nullopt when there is none.
struct SystemText {
  std::string text;
  std::string file;  // for messages
};
using SystemFinder = std::function<std::optional<SystemText>(std::string_view name)>;

// --set: dotted keys and values, as ConfigDocument::set takes them. override_router.h says which
// file they reach through `use`.
using SystemOverrides = std::vector<std::pair<std::string, std::string>>;

// What a run asks for: --nodes, --gpus, --seed. Absent the first two: the file's count, which is 1
// for a server and the published size for a cluster.
struct SystemSize {
  std::optional<int> servers;    // that many; at least 1
  std::optional<int> gpus;       // without `servers`: at least as many servers as these need
  std::uint64_t seed = 0;        // of the fabrics' hashes, where their tables name none
  SourcePosition asked_at = {};  // who asks for `servers` or `gpus`, for messages: {"--nodes 9"}
};

// Reads and checks everything; calls document.finish(). Throws InputError.
System read_system(ConfigDocument& document, const LinkPresets& presets, const SystemFinder& find,
                   const SystemOverrides& overrides = {}, const SystemSize& size = {});

// Without reading the wiring or building anything: for `ringspan list`. `notes` stay empty, and
// what is not needed is not checked. Throws InputError.
SystemInfo read_system_summary(ConfigDocument& document, const SystemFinder& find);

}  // namespace ringspan
