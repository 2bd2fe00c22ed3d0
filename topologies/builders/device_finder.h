#pragma once

// Devices of a cluster by name: "server3.gpu0", "rack1.nvswitch4"; the bare name where there is
// one server or one domain.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/config_node.h"
#include "topologies/builders/cluster_draft.h"

namespace ringspan {

struct DevicePlace {
  std::int32_t domain = 0;
  NodeId device;  // in the domain's kind
};

class DeviceFinder {
 public:
  // Keeps a reference. `file_servers`: see left_out().
  DeviceFinder(const ClusterDraft& draft, std::int64_t file_servers)
      : draft_(draft), file_servers_(file_servers) {}

  // nullopt: the name at the key is none of a device in a server; it may be one of a network.
  // Throws InputError, with the nearest name, where it begins like one of a server and is none.
  std::optional<DevicePlace> find(const ConfigNode& table, std::string_view key) const;
  // The server or rack that the name at the key begins with is one of the file's that this run does
  // not have.
  bool left_out(const ConfigNode& table, std::string_view key) const;

 private:
  std::optional<NodeId> device_of(std::int32_t domain, std::int32_t server,
                                  std::string_view name) const;
  [[noreturn]] void refuse(const ConfigNode& table, std::string_view key, std::int32_t domain,
                           std::int32_t server, std::string_view prefix,
                           std::string_view name) const;

  const ClusterDraft& draft_;
  std::int64_t file_servers_;
};

}  // namespace ringspan
