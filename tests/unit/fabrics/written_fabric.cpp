#include "tests/unit/fabrics/written_fabric.h"

#include <map>
#include <optional>

#include <gtest/gtest.h>

#include "models/links/link_preset.h"
#include "sim/base/input_error.h"
#include "sim/config/config_node.h"
#include "topologies/data/catalogue.h"
#include "topologies/fabrics/fabric_input.h"

namespace ringspan::testing {

namespace {

FabricFault read_fault(const ConfigNode& table) {
  return {table,
          table.text_or("switch", ""),
          table.text_or("from", ""),
          table.text_or("to", ""),
          table.integer_or("cables", 0, 0, 1000),
          table.number_or("rate", 0, 0, 1)};
}

}  // namespace

std::unique_ptr<const Fabric> written_fabric(const std::string& text, int servers, int nics) {
  ConfigDocument links = ConfigDocument::parse_text(catalogue_links().front().text, "links.toml");
  const LinkPresets presets = LinkPresets::from_config(links.root());
  ConfigDocument document = ConfigDocument::parse_text(text, "f.toml");
  const ConfigNode root = document.root();
  FabricInput input{root.child("fabric"), presets, {}, {}, 1, {}};
  for (int server = 0; server < servers; ++server) {
    for (int nic = 0; nic < nics; ++nic) input.ports.push_back({server, server, nic});
    input.pod_of_domain.push_back(0);
  }
  for (const ConfigNode& table : root.children("fault")) input.faults.push_back(read_fault(table));
  const std::string kind = input.config.choice("kind", builtin_fabrics().names());
  const Registry<FabricFactory> fabrics = builtin_fabrics();
  std::unique_ptr<const Fabric> fabric = fabrics.at(kind).factory(input);
  document.finish();
  return fabric;
}

std::string fabric_refusal(const std::string& text, int servers, int nics) {
  try {
    written_fabric(text, servers, nics);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> way_of(const Fabric& fabric, const FlowKey& flow) {
  FabricRoute route;
  fabric.route(flow, route);
  std::vector<std::string> names;
  for (const FabricUse& use : route.uses) names.push_back(fabric.link(use.link).name);
  return names;
}

void expect_sound_route(const Fabric& fabric, const FlowKey& flow) {
  FabricRoute route;
  fabric.route(flow, route);
  ASSERT_GE(route.uses.size(), 2U);
  EXPECT_EQ(route.uses.front().link, 2 * flow.source);
  EXPECT_EQ(route.uses.back().link, 2 * flow.destination + 1);
  std::map<std::uint32_t, double> sums;
  std::uint32_t last = 0;
  for (const FabricUse& use : route.uses) {
    EXPECT_LT(use.link, fabric.link_count());
    EXPECT_GE(use.stage, last);
    EXPECT_GT(use.share, 0);
    last = use.stage;
    sums[use.stage] += use.share;
  }
  EXPECT_EQ(sums.size(), last + 1);
  for (const auto& [stage, sum] : sums) EXPECT_NEAR(sum, 1, 1e-5) << "stage " << stage;
  EXPECT_GE(route.switches, 1);
}

std::vector<double> uniform_loads(const Fabric& fabric) {
  std::vector<double> loads(fabric.link_count(), 0);
  const auto ports = static_cast<std::uint32_t>(fabric.ports().size());
  FabricRoute route;
  for (std::uint32_t from = 0; from < ports; ++from) {
    for (std::uint32_t to = 0; to < ports; ++to) {
      if (from == to) continue;
      fabric.route({from, to, 0}, route);
      for (const FabricUse& use : route.uses) loads[use.link] += use.share;
    }
  }
  return loads;
}

}  // namespace ringspan::testing
