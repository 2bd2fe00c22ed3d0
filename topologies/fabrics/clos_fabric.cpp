#include "topologies/fabrics/clos_fabric.h"

#include <utility>

#include <fmt/format.h>

#include "topologies/fabrics/clos_derivation.h"
#include "topologies/fabrics/fabric_routings.h"

namespace ringspan {

ClosFabric::ClosFabric(const ClosKind& kind, const FabricInput& input, const ClosRequest& request,
                       ClosShape shape, std::vector<std::string> notes)
    : kind_(kind.name),
      shape_(std::move(shape)),
      cables_(shape_, input.ports, input.faults),
      fault_places_(input),
      nic_latency_(request.nic_latency) {
  FabricRouting routing = read_fabric_routing(
      input.config, request.port.preset, input.seed, fabric_routings(kind.name),
      "every way between two leaves of a Clos fabric is equally short and goes up and down once");
  routing_ = std::move(routing.name);
  choice_ = std::move(routing.choice);
  ports_ = input.ports;
  notes_ = std::move(notes);
  reduces_in_network_ = request.in_network_reduction;
  number_links();
  if (pooled()) fill_pools();
}

bool ClosFabric::joins(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t a = shape_.leaf_of_port[from], b = shape_.leaf_of_port[to];
  for (std::uint32_t plane = 0; plane < shape_.planes; ++plane) {
    if (plane_joins(plane, a, b)) return true;
  }
  return false;
}

std::unique_ptr<const Fabric> make_clos_fabric(const ClosKind& kind, const FabricInput& input) {
  const ClosRequest request = read_clos_request(kind, input);
  ClosDerivation derivation(kind, input, request);
  derivation.run();
  return std::make_unique<ClosFabric>(kind, input, request, derivation.take_shape(),
                                      derivation.take_notes());
}

}  // namespace ringspan
