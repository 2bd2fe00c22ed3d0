#pragma once

// The parts of plan_server(), in the order in which they add to the plan.

#include "topologies/import/server_plan.h"
#include "topologies/import/server_sites.h"

namespace ringspan {

// Which GPUs these are: --gpu, the PCI device number, the compute capability, or the PCIe link.
void plan_gpus(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan);

// NVLinks and NVSwitches; C2C.
void plan_nvlinks(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan);

// NICs, their network and the preset of their ports.
void plan_nics(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan);

// CPUs, PCIe switches and links.
void plan_pcie(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan);

// Links between CPUs.
void plan_sockets(const ServerPlanInput& input, ServerPlan& plan);

}  // namespace ringspan
