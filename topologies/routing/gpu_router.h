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

 private:
  struct Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace ringspan
