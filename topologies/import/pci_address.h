#pragma once

// PCI addresses, "0000:3b:00.0": domain, bus, device and function, hexadecimal.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ringspan {

struct PciAddress {
  std::uint64_t value = 0;  // domain, 8 bits of bus, 8 of device, 4 of function: in PCI order
  auto operator<=>(const PciAddress&) const = default;
};

// Also "00000000:3b:00.0", as NVML writes it, and "3b:00.0" of domain 0. nullopt: not an address.
std::optional<PciAddress> parse_pci_address(std::string_view text);

std::string format_pci_address(PciAddress address);

}  // namespace ringspan
