#pragma once

// What a link is made of, as far as protocols and costs care.

#include <array>
#include <string_view>

namespace ringspan {

enum class LinkClass {
  NvLink,   // NVLink between GPUs or to an NVSwitch, bridges, and other vendors' GPU links
  C2c,      // NVLink-C2C between a CPU and its GPU
  Pcie,     // PCI Express
  Socket,   // UPI, xGMI or another link between CPUs
  Network,  // InfiniBand, Ethernet, EFA, Slingshot
};

inline constexpr std::array kAllLinkClasses = {LinkClass::NvLink, LinkClass::C2c, LinkClass::Pcie,
                                               LinkClass::Socket, LinkClass::Network};

// "nvlink", "c2c", "pcie", "socket", "network".
std::string_view link_class_name(LinkClass link_class);

}  // namespace ringspan
