#include "topologies/import/pci_address.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include <fmt/format.h>

namespace ringspan {

namespace {

constexpr std::size_t kMostDomainDigits = 8;

std::optional<std::uint64_t> hexadecimal(std::string_view text, std::size_t most_digits) {
  if (text.empty() || text.size() > most_digits) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<PciAddress> parse_pci_address(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::size_t before_device = text.rfind(':', dot);
  if (before_device == std::string_view::npos) return std::nullopt;
  const std::string_view front = text.substr(0, before_device);
  const std::size_t before_bus = front.rfind(':');
  const bool has_domain = before_bus != std::string_view::npos;

  const auto domain = has_domain ? hexadecimal(front.substr(0, before_bus), kMostDomainDigits) : 0;
  const auto bus = hexadecimal(has_domain ? front.substr(before_bus + 1) : front, 2);
  const auto device = hexadecimal(text.substr(before_device + 1, dot - before_device - 1), 2);
  const auto function = hexadecimal(text.substr(dot + 1), 1);
  if (!domain || !bus || !device || !function) return std::nullopt;
  return PciAddress{*domain << 20 | *bus << 12 | *device << 4 | *function};
}

std::string format_pci_address(PciAddress address) {
  const std::uint64_t value = address.value;
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", value >> 20, value >> 12 & 0xff,
                     value >> 4 & 0xff, value & 0xf);
}

}  // namespace ringspan
