#include "models/workloads/protocol_cost.h"

#include <algorithm>
#include <cmath>

namespace ringspan {

namespace {

Bandwidth on_the_wire(Protocol protocol, Bandwidth payload) {
  const ProtocolGeometry geometry = protocol_geometry(protocol);
  return scaled(payload, static_cast<double>(geometry.wire_unit) /
                             static_cast<double>(geometry.payload_unit));
}

// Payload bytes of the first lines of all threads of a channel: 512 threads of LL store 8 bytes
// each at a time; of LL128 640, eight of which store a line of 120 (NCCL 2.28.9
// src/device/prims_ll.h, prims_ll128.h: 60 bytes a thread in the four stores of an iteration).
std::int64_t lines_of_threads(Protocol protocol) {
  switch (protocol) {
    case Protocol::LL:
      return 512 * 8;
    case Protocol::LL128:
      return 640 * 60;
    case Protocol::Simple:
      break;
  }
  return 0;
}

Duration part_of(Duration whole, double part) {
  return Duration{std::llround(static_cast<double>(whole.count()) * part)};
}

// Of grouped send/receive over NVLink (NCCL 2.28.9 src/init.cc, NCCL_P2P_NVL_CHUNKSIZE).
constexpr std::int64_t kMessageChunk = 512 << 10;

}  // namespace

ProtocolCost::ProtocolCost(const Profile& profile, std::string_view algorithm, Protocol protocol)
    : profile_(profile), cost_(profile.cost_of(algorithm)), protocol_(protocol) {
  const bool tree = algorithm == "tree";
  if (algorithm == "p2p") {
    messages_ = true;
    read_p2p(profile.p2p);
    return;
  }
  if (algorithm.starts_with("nvls")) slice_overhead_ = profile.nvls_slice;
  switch (protocol) {
    case Protocol::LL:
      per_gpu_ = profile.ll_rate_per_gpu;
      per_channel_ = profile.ll_rate_per_channel;
      break;
    case Protocol::LL128:
      per_gpu_ = profile.ll128_rate_per_gpu;
      per_channel_ =
          tree ? profile.ll128_tree_rate_per_channel : profile.ll128_ring_rate_per_channel;
      break;
    case Protocol::Simple:
      if (tree) per_channel_ = profile.simple_tree_rate_per_channel;
      break;
  }
}

void ProtocolCost::read_p2p(const P2pCost& p2p) {
  if (protocol_ == Protocol::LL) {
    per_channel_ = p2p.ll_per_channel;
    if (!per_channel_) per_gpu_ = profile_.ll_rate_per_gpu;
    return;
  }
  per_channel_ = p2p.simple_per_channel;
  per_gpu_ = p2p.simple_per_gpu;
  last_copy_ = p2p.simple_copy_per_channel;
}

std::int64_t ProtocolCost::first_lines(std::int64_t payload) const {
  return std::min(payload, lines_of_threads(protocol_));
}

double ProtocolCost::fill(std::int64_t payload) const {
  const std::int64_t lines = lines_of_threads(protocol_);
  if (lines == 0) return 1;
  return static_cast<double>(first_lines(payload)) / static_cast<double>(lines);
}

Duration ProtocolCost::base(std::int64_t slice) const {
  const auto p = static_cast<std::size_t>(protocol_);
  return cost_.base[p] + part_of(profile_.threads.once[p], fill(slice));
}

Duration ProtocolCost::step_latency(LinkClass slowest_class, Duration wire) const {
  const auto p = static_cast<std::size_t>(protocol_);
  const auto c = static_cast<std::size_t>(slowest_class);
  Duration step{};
  switch (slowest_class) {
    case LinkClass::NvLink:
    case LinkClass::C2c:
      step = cost_.nvlink_step[p];
      break;
    case LinkClass::Pcie:
    case LinkClass::Socket:
      step = cost_.pcie_step[p];
      break;
    case LinkClass::Network:
      step = cost_.network_step[p];
      break;
  }
  return step + std::max(Duration{}, wire - profile_.reference_wire[c]);
}

Duration ProtocolCost::slice_latency(Duration step, std::int64_t payload) const {
  const auto p = static_cast<std::size_t>(protocol_);
  Duration latency = step + part_of(profile_.threads.step[p], fill(payload));
  if (per_channel_ && profile_.threads.first_lines_in_step && lines_of_threads(protocol_) > 0) {
    const Bytes wire = wire_bytes(protocol_, Bytes{first_lines(payload)});
    latency = latency - transfer_time(wire, on_the_wire(protocol_, *per_channel_));
  }
  if (last_copy_) {
    latency += transfer_time(Bytes{std::min(payload, kMessageChunk)}, *last_copy_);
  }
  return std::max(Duration{}, latency);
}

std::optional<Bandwidth> ProtocolCost::kernel_limit(int count,
                                                    const CopyingChannels& channels) const {
  const double part = static_cast<double>(count) / channels.all;
  std::optional<Bandwidth> limit;
  if (per_channel_) {
    const Bandwidth rate = on_the_wire(protocol_, *per_channel_);
    const bool shared = !messages_ && channels.full_rate < channels.all;
    limit = shared ? scaled(rate * channels.full_rate, part) : rate * count;
  }
  if (per_gpu_) {
    const Bandwidth dealt = scaled(on_the_wire(protocol_, *per_gpu_), part);
    limit = limit ? std::min(*limit, dealt) : dealt;
  }
  return limit;
}

Duration ProtocolCost::receive_time(std::int64_t payload) const {
  const auto& rate = profile_.copy_rate_per_channel[static_cast<std::size_t>(protocol_)];
  if (!rate) return {};
  return transfer_time(Bytes{payload - first_lines(payload)}, *rate);
}

}  // namespace ringspan
