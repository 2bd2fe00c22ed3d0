#pragma once

// From a GPU to the fabric and from the fabric to a GPU.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

// How data leaves one GPU's domain and enters the other's: what the transport decides.
struct PairLegs {
  bool same_rail = false;      // of the NICs that the two GPUs own
  bool pxn = false;            // leaves through another GPU's NIC
  bool send_direct = true;     // GPUDirect RDMA; else staged through host memory
  bool receive_direct = true;  // the same
  Bandwidth nominal, payload;  // of the slower leg
  Duration latency{};          // of both legs
  std::string impossible;      // why there is no way at all; empty: there is one
  bool operator==(const PairLegs&) const = default;
};

class LegFinder {
 public:
  // Keeps references to both.
  LegFinder(const Cluster& cluster, const Transport& transport);

  struct Found {
    PairLegs legs;
    std::int32_t send_nic = 0, receive_nic = 0;  // indices into DomainKind::nics
  };
  // Of channel 0, between GPUs of two different domains.
  Found find(const GpuPlace& from, const GpuPlace& to);

  struct Leg {
    Bandwidth nominal, payload;  // of one transfer alone
    Duration latency{};
  };
  // Between a GPU of a kind and a NIC: the way over NVLink to the NIC's owner (PXN) included.
  const Leg& nic_leg(std::int32_t kind, std::int32_t gpu, const NicLeg& leg, bool sends);

 private:
  PairLegs describe(const GpuPlace& from, const GpuPlace& to, const Transport::Legs& legs);
  std::int32_t rail(std::int32_t kind, std::int32_t nic) const;

  const Cluster& cluster_;
  const Transport& transport_;
  std::vector<GpuRouter> routers_;  // by kind
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, bool, bool>, Leg>
      legs_;
};

}  // namespace ringspan
