#include "topologies/fabrics/fabric.h"

#include <fmt/format.h>

#include "sim/base/input_error.h"

namespace ringspan {

void Fabric::reduction(std::span<const std::uint32_t> /*ports*/, FabricRoute& /*out*/) const {
  throw InputError(fmt::format("a {} fabric has no reduction in its switches", kind()),
                   "use an algorithm that reduces on GPUs, such as ring or tree");
}

bool Fabric::joins(std::uint32_t from, std::uint32_t to) const {
  FabricRoute scratch;
  try {
    route({from, to, 0}, scratch);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

std::string Fabric::attachment_name(std::uint32_t number) const {
  return fmt::format("{}{}", tiers().front().above, number);
}

}  // namespace ringspan
