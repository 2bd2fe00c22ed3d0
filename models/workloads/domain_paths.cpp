#include "models/workloads/domain_paths.h"

namespace ringspan {

DomainPaths::DomainPaths(const DomainKind& kind, const Profile& profile)
    : kind_(kind), paths_(kind.topology, kind.gpus, profile) {
  const std::size_t gpus = kind.gpus.size();
  if (gpus <= kMostTabled) pair_.assign(gpus * gpus, kNone);
  to_nic_.assign(gpus * kind.nics.size(), kNone);
  from_nic_ = to_nic_;
}

void DomainPaths::declare_pair(std::int32_t from, std::int32_t to) {
  if (pair_.empty()) {
    paths_.path_index({&from, 1}, {&to, 1});
    return;
  }
  std::uint32_t& number = pair_[pair_place(from, to)];
  if (number == kNone) number = paths_.path_index({&from, 1}, {&to, 1});
}

void DomainPaths::declare_leg(std::int32_t gpu, const NicLeg& leg, bool sends) {
  std::int32_t owner = gpu;
  if (leg.proxy >= 0) {
    declare_pair(gpu, leg.proxy);
    owner = leg.proxy;
  }
  std::uint32_t& number = (sends ? to_nic_ : from_nic_)[nic_place(owner, leg.nic)];
  if (number != kNone) return;
  const NodeId nic = kind_.nics[static_cast<std::size_t>(leg.nic)];
  number = paths_.nic_path_index(owner, nic, sends, !leg.gpu_direct);
}

}  // namespace ringspan
