#include "topologies/builders/device_finder.h"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "sim/base/quote.h"

namespace ringspan {

namespace {

// "server12.gpu3" -> 12 and "gpu3"; nullopt where the text does not begin so.
struct Numbered {
  std::int64_t number = 0;
  std::string_view rest;
};

std::optional<Numbered> numbered(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  Numbered found;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, found.number);
  if (stop == text.data() || text.front() == '-' || stop == end || *stop != '.') {
    return std::nullopt;
  }
  // Too many digits: no server has that number.
  if (error != std::errc{}) found.number = std::numeric_limits<std::int64_t>::max();
  found.rest = text.substr(static_cast<std::size_t>(stop - text.data()) + 1);
  return found;
}

std::string counted(std::string_view what, std::int64_t count) {
  return count == 1 ? fmt::format("there is one {}: {}0", what, what)
                    : fmt::format("{}s are counted from 0 to {}", what, count - 1);
}

}  // namespace

// A device of the server, else an NVSwitch of its rack.
std::optional<NodeId> DeviceFinder::device_of(std::int32_t domain, std::int32_t server,
                                              std::string_view name) const {
  const auto kind =
      static_cast<std::size_t>(draft_.kind_of_domain[static_cast<std::size_t>(domain)]);
  const std::vector<Device>& devices = draft_.kinds[kind].devices;
  std::optional<NodeId> found;
  for (std::uint32_t i = 0; i < devices.size(); ++i) {
    if (devices[i].name != name) continue;
    if (devices[i].server == server) return NodeId{i};
    if (devices[i].server == kNoServer) found = NodeId{i};
  }
  return found;
}

void DeviceFinder::refuse(const ConfigNode& table, std::string_view key, std::int32_t domain,
                          std::int32_t server, std::string_view prefix,
                          std::string_view name) const {
  const auto kind =
      static_cast<std::size_t>(draft_.kind_of_domain[static_cast<std::size_t>(domain)]);
  std::vector<std::string> names;
  for (const Device& device : draft_.kinds[kind].devices) {
    if (device.server == server || device.server == kNoServer) names.push_back(device.name);
  }
  std::string near = nearest_name(name, names);
  if (near.empty() && !names.empty()) near = names.front();
  table.fail(key,
             fmt::format("there is no device {} in {}", quote_text(name),
                         prefix.substr(0, prefix.size() - 1)),
             near.empty() ? "a device is named with its server: \"server0.gpu0\""
                          : fmt::format("did you mean '{}{}'?", prefix, near));
}

bool DeviceFinder::left_out(const ConfigNode& table, std::string_view key) const {
  const std::string text = table.text(key);
  if (const std::optional<Numbered> server = numbered(text, "server")) {
    return server->number >= draft_.servers() && server->number < file_servers_;
  }
  const std::optional<Numbered> rack = numbered(text, "rack");
  const auto racks = static_cast<std::int64_t>(draft_.kind_of_domain.size());
  return rack && draft_.servers() < file_servers_ && rack->number >= racks &&
         rack->number < file_servers_;
}

std::optional<DevicePlace> DeviceFinder::find(const ConfigNode& table, std::string_view key) const {
  const std::string text = table.text(key);
  const auto domains = static_cast<std::int64_t>(draft_.kind_of_domain.size());
  if (const std::optional<Numbered> found = numbered(text, "server")) {
    if (found->number >= draft_.servers()) {
      table.fail(key, fmt::format("there is no server of {}", quote_text(text)),
                 counted("server", draft_.servers()));
    }
    const std::int32_t domain = draft_.domain_of_server(found->number);
    const auto server = static_cast<std::int32_t>(
        found->number - draft_.first_server[static_cast<std::size_t>(domain)]);
    if (const auto device = device_of(domain, server, found->rest))
      return DevicePlace{domain, *device};
    refuse(table, key, domain, server, text.substr(0, text.find('.') + 1), found->rest);
  }
  if (const std::optional<Numbered> found = numbered(text, "rack")) {
    if (found->number >= domains) {
      table.fail(key, fmt::format("there is no rack of {}", quote_text(text)),
                 counted("rack", domains));
    }
    const auto domain = static_cast<std::int32_t>(found->number);
    if (const auto device = device_of(domain, kNoServer, found->rest)) {
      return DevicePlace{domain, *device};
    }
    refuse(table, key, domain, kNoServer, text.substr(0, text.find('.') + 1), found->rest);
  }
  if (domains > 1) return std::nullopt;
  const std::int32_t server = draft_.servers() == 1 ? 0 : kNoServer;
  if (const auto device = device_of(0, server, text)) return DevicePlace{0, *device};
  return std::nullopt;
}

}  // namespace ringspan
