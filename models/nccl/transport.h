#pragma once

// How data leaves one domain for another: over which NIC, through which GPU (PXN), straight from
// GPU memory (GPUDirect RDMA) or staged through host memory. The fabric offers, this policy
// chooses.
//
// NCCL's documented defaults (NCCL 2.28.9 src/graph/paths.cc, src/graph/search.cc,
// src/transport/net.cc):
// - A GPU's NICs are those with the best (bandwidth, then distance). A channel uses one of them;
// where
//   channel c's own NIC (c modulo the domain's NICs) is among them, that one.
// - PXN: a send leaves by the local NIC on the receiver's rail, through the GPU that owns it, if
// that
//   GPU is reached over NVLink. Receives always land through the receiver's own NIC.
// - GPUDirect RDMA reaches as far as DomainKind::gpu_direct says; beyond, data is staged.

#include <cstdint>
#include <span>
#include <vector>

#include "topologies/fabrics/cluster.h"

namespace ringspan {

struct TransportOptions {
  bool pxn = true;
};

// One end of a transfer between domains.
struct NicLeg {
  std::int32_t nic = 0;     // index into DomainKind::nics
  std::int32_t proxy = -1;  // index into DomainKind::gpus of the GPU that owns it (PXN); -1: none
  bool gpu_direct = true;   // else staged through host memory
};

class Transport {
 public:
  // Keeps a reference to `cluster`. Throws InputError where a GPU of a cluster of several domains
  // has no NIC it could use.
  explicit Transport(const Cluster& cluster, const TransportOptions& options = {});

  // The NICs of a GPU, best first, by kind and GPU of the kind.
  std::span<const std::int32_t> nics_of(std::int32_t kind, std::int32_t gpu) const;
  // The NIC a GPU uses on a channel.
  std::int32_t nic_of(std::int32_t kind, std::int32_t gpu, std::int32_t channel) const;
  bool gpu_direct(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const;
  // Two channels may use different NICs for the same pair.
  bool tells_channels_apart() const { return tells_channels_apart_; }

  struct Legs {
    NicLeg send, receive;
  };
  // Of a transfer between GPUs of two different domains. Throws InputError with the reason where
  // they cannot be joined: "rail-only fabric without PXN: ...".
  Legs legs(const GpuPlace& from, const GpuPlace& to, std::int32_t channel) const;

 private:
  struct KindTable {
    std::vector<std::vector<std::int32_t>> near;  // by GPU: the NICs it is nearest to
    std::vector<std::vector<std::int32_t>> own;   // by GPU: its part of them
    std::vector<std::vector<char>> direct;        // by GPU and NIC
    // By GPU and rail: the NIC on that rail and the GPU that owns it (-1: none reached over
    // NVLink).
    std::vector<std::vector<NicLeg>> by_rail;
  };
  KindTable make_table(const DomainKind& kind);
  static void share_out(KindTable& table);
  static void add_rails(const DomainKind& kind, KindTable& table);
  const KindTable& table(std::int32_t kind) const {
    return tables_[static_cast<std::size_t>(kind)];
  }

  const Cluster& cluster_;
  TransportOptions options_;
  std::vector<KindTable> tables_;
  bool tells_channels_apart_ = false;
};

}  // namespace ringspan
