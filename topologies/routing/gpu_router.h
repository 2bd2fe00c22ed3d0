#pragma once

// Routes for many pairs of one topology: what is common to all pairs is worked out once.

#include <memory>

#include "topologies/graph/topology.h"
#include "topologies/routing/route.h"

namespace ringspan {

class GpuRouter {
 public:
  // Keeps a reference to `topology`, which must outlive the router.
  explicit GpuRouter(const Topology& topology);
  ~GpuRouter();
  GpuRouter(GpuRouter&&) noexcept;
  GpuRouter& operator=(GpuRouter&&) noexcept;

  // As route_between_gpus() and switch_port() in route.h.
  Route route(NodeId from, NodeId to) const;
  SwitchPort switch_port(NodeId gpu) const;
  // The links between a GPU and a NIC of its host, from the GPU to the NIC or the other way round.
  // `staged`: through the memory of the CPU nearest to the GPU, where NCCL's proxy has its buffers,
  // instead of straight (GPUDirect RDMA). Throws InputError when nothing joins them.
  Route nic_route(NodeId gpu, NodeId nic, bool to_nic, bool staged) const;

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace ringspan
