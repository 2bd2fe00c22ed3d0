#include "topologies/import/server_plan.h"

#include "topologies/import/plan_parts.h"
#include "topologies/import/server_sites.h"

namespace ringspan {

namespace {

// NCCL lets two GPUs of an AMD machine copy directly wherever they are.
void plan_peer_to_peer(const ServerPlanInput& input, ServerPlan& plan) {
  if (plan.gpus.size() > 2 || plan.cpu_vendors.front() != "amd") return;
  plan.peer_to_peer = "all";
  input.notes.add("at most two GPUs on AMD CPUs: peer_to_peer = \"all\", as NCCL's default is");
}

}  // namespace

ServerPlan plan_server(const ServerPlanInput& input) {
  const ServerSites sites = find_sites(input.topology, input.notes);
  ServerPlan plan;
  plan_gpus(input, sites, plan);
  plan_nvlinks(input, sites, plan);
  plan_nics(input, sites, plan);
  plan_pcie(input, sites, plan);
  plan_sockets(input, plan);
  plan_peer_to_peer(input, plan);
  return plan;
}

}  // namespace ringspan
