#pragma once

// Reads a link's rate, which may be written per lane ("32 GT/s") or as a total of both directions
// ("900 GB/s bidir").

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/units.h"
#include "sim/config/config_node.h"

namespace ringspan {

struct WrittenRate {
  Bandwidth per_direction;          // zero when transfers are given
  std::int64_t transfers = 0;       // "32 GT/s": bits per lane, second and direction
  std::optional<std::string> note;  // set for a total of both directions, which was halved
};

// Throws InputError: not a quantity, wrong unit.
WrittenRate read_rate(const ConfigNode& node, std::string_view key);

// The share of PCIe's transfers that carries packets: 8b/10b up to 5 GT/s, 128b/130b up to 32 GT/s,
// from 64 GT/s on 236 of the 256 bytes of a FLIT (PCI Express Base Specification 6.0).
double pcie_coding(std::int64_t transfers);

}  // namespace ringspan
