// Why a GPU or a pair of GPUs has no way to another server, with the place in the file.

#include <fmt/format.h>

#include "models/nccl/transport.h"
#include "sim/base/input_error.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {

Route Transport::way_to_nic(std::int32_t number, const GpuRouter& router, std::size_t gpu,
                            std::size_t nic) const {
  const DomainKind& kind = cluster_.kinds()[static_cast<std::size_t>(number)];
  try {
    return router.nic_route(kind.gpus[gpu], kind.nics[nic], true, false);
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    const int server = cluster_.server_of({first_of(number), static_cast<std::int32_t>(gpu)});
    throw InputError(kind.where, fmt::format("server{}: {}", server, problem.message),
                     problem.hint);
  }
}

// The fabric knows why: it is asked for a way from one of the server's NICs to another domain.
void Transport::refuse_apart(std::int32_t number, std::size_t gpu) const {
  const DomainKind& kind = cluster_.kinds()[static_cast<std::size_t>(number)];
  const int domain = first_of(number);
  const std::int32_t server = kind.topology.device(kind.gpus[gpu]).server;
  const std::string message = fmt::format("{} has no NIC that joins it to other servers",
                                          cluster_.device_name(domain, kind.gpus[gpu]));
  const int other = domain == 0 ? 1 : 0;
  for (std::size_t n = 0; n < kind.nics.size(); ++n) {
    if (kind.topology.device(kind.nics[n]).server != server) continue;
    if (cluster_.domain(other).nics.empty()) continue;
    try {
      FabricRoute route;
      const auto nic = static_cast<int>(n);
      cluster_.fabric()->even_route({cluster_.port(domain, nic), cluster_.port(other, 0), 0},
                                    route);
    } catch (const InputError& error) {
      const InputProblem& problem = error.problems().front();
      throw InputError(problem.where, fmt::format("{}: {}", message, problem.message),
                       problem.hint);
    }
  }
  throw InputError(kind.where, message,
                   "give every server a NIC on the compute network, linked to the GPUs' PCIe "
                   "switches or CPUs");
}

void Transport::refuse(const GpuPlace& from, const GpuPlace& to, const Legs& legs) const {
  const auto name = [&](const GpuPlace& place) {
    return cluster_.device_name(
        place.domain, cluster_.domain(place.domain).gpus[static_cast<std::size_t>(place.gpu)]);
  };
  const std::int32_t leaves = rail(cluster_.kind_of(from.domain), legs.send.nic);
  const std::int32_t lands = rail(cluster_.kind_of(to.domain), legs.receive.nic);
  const std::string rails = fmt::format(
      "{} sends on rail {} and {} receives on rail {}, which this {} fabric does not "
      "join",
      name(from), leaves, name(to), lands, cluster_.fabric()->kind());
  if (!options_.pxn) {
    throw InputError(rails + " without PXN",
                     "set pxn = true in [transport], or take a fabric that joins its rails");
  }
  throw InputError(
      fmt::format("{}; no GPU with a NIC on rail {} is reached over NVLink (PXN)", rails, lands),
      "take a fabric that joins its rails, or servers whose GPUs are joined by NVLink");
}

}  // namespace ringspan
