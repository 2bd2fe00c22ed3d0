#pragma once

// How data leaves one domain for another: over which NIC, through which GPU (PXN), straight from
// GPU memory (GPUDirect RDMA) or staged through host memory. The fabric offers, this policy
// chooses, by NCCL's documented defaults (NCCL 2.28.9 src/graph/paths.cc, src/graph/topo.cc,
// src/transport/net.cc; docs/models.md, "Transports", has the differences):
// - A GPU's nearest NICs are those of its server with the best (bandwidth, then distance). GPUs
//   that are as near to the same NICs share them out; a GPU's channels take turns with its part.
// - A send leaves on the receiver's rail: by an own or nearest NIC on it; else, with PXN, by the
//   NIC on it that belongs to a GPU of the same server reached over NVLink, through that GPU; else
//   by an own NIC. Receives always land through the receiver's own NIC.
// - GPUDirect RDMA reaches as far as DomainKind::gpu_direct says; beyond, data is staged.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "topologies/fabrics/cluster.h"
#include "topologies/routing/route.h"

namespace ringspan {

class GpuRouter;

struct TransportOptions {
  bool pxn = true;
};

// One end of a transfer between domains.
struct NicLeg {
  std::int32_t nic = 0;     // index into DomainKind::nics
  std::int32_t proxy = -1;  // index into DomainKind::gpus of the GPU that owns it (PXN); -1: none
  bool gpu_direct = true;   // else staged through host memory
  bool operator==(const NicLeg&) const = default;
};

class Transport {
 public:
  // Keeps a reference to `cluster`. Throws InputError where a GPU of a cluster of several domains
  // has no NIC it could use.
  explicit Transport(const Cluster& cluster, const TransportOptions& options = {});

  const TransportOptions& options() const { return options_; }
  int nic_count(std::int32_t kind) const { return static_cast<int>(table(kind).rates.size()); }
  // The part of the nearest NICs that a GPU's channels take turns with, by kind and GPU of the
  // kind.
  std::span<const std::int32_t> nics_of(std::int32_t kind, std::int32_t gpu) const;
  // The NIC a GPU uses on a channel.
  std::int32_t nic_of(std::int32_t kind, std::int32_t gpu, std::int32_t channel) const;
  bool gpu_direct(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const;
  // All NICs a GPU is nearest to, which it may share with others.
  std::span<const std::int32_t> nearest(std::int32_t kind, std::int32_t gpu) const {
    return table(kind).near[static_cast<std::size_t>(gpu)];
  }
  // What NCCL takes the way between a GPU and a NIC of its server to be worth, GB/s.
  double planned_rate(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const {
    return pair(kind, gpu, nic).planned_rate;
  }
  // How the GPU is wired to a NIC of its server. PathKind::Local: the NIC is of another server.
  PathKind distance(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const;
  // The GPU through which PXN would reach the NIC; -1: none.
  std::int32_t proxy_of(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const;
  // One direction, nominal: all cables of the NIC together. Zero: the fabric joins it to no other.
  Bandwidth nic_rate(std::int32_t kind, std::int32_t nic) const;
  // Two channels may use different NICs for the same pair.
  bool tells_channels_apart() const { return tells_channels_apart_; }

  struct Legs {
    NicLeg send, receive;
  };
  // Of a transfer between GPUs of two different domains. Throws InputError with the reason where
  // the fabric does not join the two NICs: a rail-only fabric without PXN.
  Legs legs(const GpuPlace& from, const GpuPlace& to, std::int32_t channel) const;

 private:
  // Of a GPU and a NIC.
  struct Pair {
    PathKind kind = PathKind::Local;
    double planned_rate = 0;
    bool gpu_direct = false;
    bool may_be_proxy = false;  // for other GPUs' sends (PXN)
    std::int32_t proxy = -1;
  };
  struct KindTable {
    std::vector<Bandwidth> rates;                 // by NIC
    std::vector<std::vector<std::int32_t>> near;  // by GPU: the NICs it is nearest to
    std::vector<std::vector<std::int32_t>> own;   // by GPU: its part of them
    std::vector<Pair> pairs;                      // by GPU x NICs + NIC
  };
  KindTable make_table(std::int32_t kind) const;
  int first_of(std::int32_t kind) const;  // the first domain of the kind
  [[noreturn]] void refuse_apart(std::int32_t kind, std::size_t gpu) const;
  Route way_to_nic(std::int32_t kind, const GpuRouter& router, std::size_t gpu,
                   std::size_t nic) const;
  void find_near(std::int32_t kind, const GpuRouter& router, std::size_t gpu,
                 KindTable& table) const;
  static std::size_t nearest_gpus(const DomainKind& kind, const KindTable& table, std::size_t nic);
  static void share_out(const DomainKind& kind, KindTable& table);
  static void find_proxies(const DomainKind& kind, const GpuRouter& router, KindTable& table);
  Bandwidth port_rate(std::int32_t kind, std::int32_t nic) const;
  void find_joined_rails();
  void join_rails(int from, int to);
  NicLeg send_leg(const GpuPlace& from, std::int32_t rail, std::int32_t channel) const;
  void refuse(const GpuPlace& from, const GpuPlace& to, const Legs& legs) const;

  const KindTable& table(std::int32_t kind) const {
    return tables_[static_cast<std::size_t>(kind)];
  }
  const Pair& pair(std::int32_t kind, std::int32_t gpu, std::int32_t nic) const {
    const KindTable& entry = table(kind);
    return entry
        .pairs[static_cast<std::size_t>(gpu) * entry.rates.size() + static_cast<std::size_t>(nic)];
  }
  std::int32_t rail(std::int32_t kind, std::int32_t nic) const {
    return cluster_.kinds()[static_cast<std::size_t>(kind)].rails[static_cast<std::size_t>(nic)];
  }

  const Cluster& cluster_;
  TransportOptions options_;
  std::vector<KindTable> tables_;
  bool tells_channels_apart_ = false;
  // By rail x rails + rail: the fabric joins them, as far as one pair of ports tells.
  std::vector<char> joined_;
  std::size_t rails_ = 0;
};

}  // namespace ringspan
