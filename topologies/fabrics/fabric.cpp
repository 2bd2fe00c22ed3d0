#include "topologies/fabrics/fabric.h"

#include <numeric>

#include <fmt/format.h>

#include "sim/base/input_error.h"

namespace ringspan {

void Fabric::reduction(std::span<const std::uint32_t> /*ports*/, FabricRoute& /*out*/) const {
  throw InputError(fmt::format("a {} fabric has no reduction in its switches", kind()),
                   "use an algorithm that reduces on GPUs, such as ring or tree");
}

void Fabric::even_ends(const FlowKey& flow, FabricRoute& out) const {
  even_route(flow, out);
  const std::uint32_t first = out.uses.front().stage;
  const std::uint32_t last = out.uses.back().stage;
  std::erase_if(out.uses,
                [&](const FabricUse& use) { return use.stage != first && use.stage != last; });
}

AttachmentClasses Fabric::attachment_classes() const {
  AttachmentClasses classes;
  classes.count = attachment_count();
  classes.of.resize(classes.count);
  std::iota(classes.of.begin(), classes.of.end(), 0U);
  classes.first_up.resize(classes.count, 0);
  classes.first_down.resize(classes.count, 0);
  return classes;
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
