#include "topologies/import/server_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "topologies/import/plan_parts.h"
#include "topologies/import/server_sites.h"

namespace ringspan {

namespace {

void refuse_several_hosts(const PlanInput& input) {
  const NcclCpu& first = input.topology.cpus.front();
  for (const NcclCpu& cpu : input.topology.cpus) {
    if (cpu.host == first.host) continue;
    throw InputError(SourcePosition{input.file, cpu.where.line, cpu.where.column},
                     "this CPU is of another server than the first",
                     "dump one server; [fabric] with kind = \"nvlink-domain\" joins servers of one "
                     "NVLink domain (docs/formats.md)");
  }
}

// NCCL lets two GPUs of an AMD machine copy directly wherever they are.
void plan_peer_to_peer(const PlanInput& input, ServerPlan& plan) {
  if (plan.gpus.size() > 2 || plan.cpu_vendors.front() != "amd") return;
  plan.peer_to_peer = "all";
  input.notes.add("at most two GPUs on AMD CPUs: peer_to_peer = \"all\", as NCCL's default is");
}

}  // namespace

ServerPlan plan_server(const PlanInput& input) {
  refuse_several_hosts(input);
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
