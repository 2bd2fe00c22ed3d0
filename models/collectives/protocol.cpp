#include "models/collectives/protocol.h"

#include <string>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

// Receive buffers of one connection and channel, on the wire (NCCL 2.28.9 src/init.cc,
// src/include/device.h); a step is an eighth of it.
//   LL      8 lines x 512 threads x 8 steps x 16 B   half of it data
//   LL128   120 elements x 640 threads x 8 steps x 8 B   15 of 16 bytes data
//   Simple  NCCL_BUFFSIZE, 4 MiB
constexpr std::int64_t kLlBuffer = 8LL * 512 * kBufferSteps * 16;
constexpr std::int64_t kLl128Buffer = 120LL * 640 * kBufferSteps * 8;
constexpr std::int64_t kSimpleBuffer = 4LL << 20;

ProtocolGeometry geometry(std::int64_t payload_unit, std::int64_t wire_unit, std::int64_t buffer) {
  const std::int64_t step_on_wire = buffer / kBufferSteps;
  return {payload_unit, wire_unit, Bytes{step_on_wire / wire_unit * payload_unit},
          Bytes{payload_unit}};
}

}  // namespace

std::string_view protocol_name(Protocol protocol) {
  switch (protocol) {
    case Protocol::LL:
      return "ll";
    case Protocol::LL128:
      return "ll128";
    case Protocol::Simple:
      return "simple";
  }
  RINGSPAN_CHECK(false, "unknown protocol");
}

Protocol protocol_from_name(std::string_view name) {
  std::vector<std::string> names;
  for (const Protocol protocol : kAllProtocols) {
    if (protocol_name(protocol) == name) return protocol;
    names.emplace_back(protocol_name(protocol));
  }
  throw InputError("unknown protocol '" + std::string(name) + "'", name_hint(name, names));
}

ProtocolGeometry protocol_geometry(Protocol protocol) {
  switch (protocol) {
    case Protocol::LL:
      return geometry(8, 16, kLlBuffer);
    case Protocol::LL128:
      return geometry(120, 128, kLl128Buffer);
    case Protocol::Simple:
      return geometry(1, 1, kSimpleBuffer);
  }
  RINGSPAN_CHECK(false, "unknown protocol");
}

Bytes wire_bytes(Protocol protocol, Bytes payload) {
  RINGSPAN_CHECK(payload.count >= 0, "a negative size");
  const ProtocolGeometry g = protocol_geometry(protocol);
  const std::int64_t line = g.line.count;
  const std::int64_t lines = payload.count / line + (payload.count % line != 0 ? 1 : 0);
  return Bytes{line / g.payload_unit * g.wire_unit} * lines;
}

ChunkShape chunk_shape(std::string_view algorithm, CollectiveKind kind, Protocol protocol) {
  const bool scatters_over_ring = algorithm == "ring" && (kind == CollectiveKind::AllReduce ||
                                                          kind == CollectiveKind::AllGather ||
                                                          kind == CollectiveKind::ReduceScatter);
  if (scatters_over_ring && protocol == Protocol::Simple) return {4, 2};
  return {1, 1};
}

}  // namespace ringspan
