#include "models/workloads/protocol_cost.h"

#include <algorithm>

namespace ringspan {

namespace {

Bandwidth on_the_wire(Protocol protocol, Bandwidth payload) {
  const ProtocolGeometry geometry = protocol_geometry(protocol);
  return scaled(payload, static_cast<double>(geometry.wire_unit) /
                             static_cast<double>(geometry.payload_unit));
}

}  // namespace

ProtocolCost::ProtocolCost(const Profile& profile, std::string_view algorithm, Protocol protocol)
    : profile_(profile), cost_(profile.cost_of(algorithm)), protocol_(protocol) {
  const bool tree = algorithm == "tree";
  switch (protocol) {
    case Protocol::LL:
      per_gpu_ = profile.ll_rate_per_gpu;
      break;
    case Protocol::LL128:
      per_channel_ =
          tree ? profile.ll128_tree_rate_per_channel : profile.ll128_ring_rate_per_channel;
      break;
    case Protocol::Simple:
      if (tree) per_channel_ = profile.simple_tree_rate_per_channel;
      break;
  }
  if (per_channel_) per_channel_ = on_the_wire(protocol, *per_channel_);
  if (per_gpu_) per_gpu_ = on_the_wire(protocol, *per_gpu_);
}

Duration ProtocolCost::base() const { return cost_.base[static_cast<std::size_t>(protocol_)]; }

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

std::optional<Bandwidth> ProtocolCost::kernel_limit(int count,
                                                    const CopyingChannels& channels) const {
  const double part = static_cast<double>(count) / channels.all;
  if (per_channel_ && channels.full_rate < channels.all) {
    return scaled(*per_channel_ * channels.full_rate, part);
  }
  if (per_channel_) return *per_channel_ * count;
  if (per_gpu_) return scaled(*per_gpu_, part);
  return std::nullopt;
}

}  // namespace ringspan
