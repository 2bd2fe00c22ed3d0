#pragma once

// NCCL's three protocols: how bytes are laid out on the wire and cut into pieces.
// Geometry from NCCL 2.28.9 src/include/device.h, src/init.cc, src/include/collectives.h.

#include <array>
#include <cstdint>
#include <string_view>

#include "models/collectives/collective.h"
#include "sim/base/units.h"

namespace ringspan {

enum class Protocol { LL, LL128, Simple };

inline constexpr std::array kAllProtocols = {Protocol::LL, Protocol::LL128, Protocol::Simple};

// "ll", "ll128", "simple".
std::string_view protocol_name(Protocol protocol);
Protocol protocol_from_name(std::string_view name);  // throws InputError

struct ProtocolGeometry {
  // Payload : wire bytes. LL: 8 of 16 B; LL128: 120 of 128 B; Simple: all.
  std::int64_t payload_unit = 1;
  std::int64_t wire_unit = 1;
  // Payload bytes of one of the buffer's kBufferSteps steps.
  Bytes step;
  // Sizes are rounded up to whole units of this many payload bytes on the wire.
  Bytes line;
};

// NCCL_STEPS: the receive buffer of a connection holds this many steps.
inline constexpr int kBufferSteps = 8;

ProtocolGeometry protocol_geometry(Protocol protocol);

// Bytes on the wire for `payload` bytes: whole lines.
Bytes wire_bytes(Protocol protocol, Bytes payload);

// How a channel's data is cut for one algorithm and protocol.
struct ChunkShape {
  int steps_per_chunk = 1;  // buffer steps of the largest chunk
  int steps_per_slice = 1;  // the unit of synchronisation
};

// Ring all_reduce, all_gather and reduce_scatter with Simple: 4 / 2; everything else 1 / 1.
ChunkShape chunk_shape(std::string_view algorithm, CollectiveKind kind, Protocol protocol);

}  // namespace ringspan
