#pragma once

// What kind of fabric a communicator crosses, and how large a size is: the classes that errors and
// prediction intervals are stated for. Both come from the fabric graph, never from a name.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/base/units.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

enum class FabricClass {
  NvlinkDomain,    // one domain in which NVLink joins all ranks
  PcieServer,      // one server in which some ranks meet over PCIe only
  SeveralServers,  // more than one domain
};

inline constexpr std::array kAllFabricClasses = {FabricClass::NvlinkDomain, FabricClass::PcieServer,
                                                 FabricClass::SeveralServers};

// "nvlink-domain", "pcie-server", "several-servers".
std::string_view fabric_class_name(FabricClass fabric_class);

// Of the GPUs at these places; at least one. Links of other GPUs that are no ranks do not count:
// NCCL sees none of them.
FabricClass fabric_class_of(const Cluster& cluster, std::span<const GpuPlace> places);

enum class SizeClass { Small, Large };

inline constexpr std::array kAllSizeClasses = {SizeClass::Small, SizeClass::Large};
inline constexpr Bytes kLargeSize{std::int64_t{4} << 20};  // the least that is large

constexpr SizeClass size_class_of(std::int64_t bytes) {
  return bytes < kLargeSize.count ? SizeClass::Small : SizeClass::Large;
}

std::string_view size_class_name(SizeClass size_class);  // "small", "large"

}  // namespace ringspan
