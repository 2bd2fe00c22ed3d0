#include "tests/unit/fabrics/clos_fixture.h"

#include <gtest/gtest.h>

#include "models/links/link_preset.h"
#include "sim/base/input_error.h"
#include "topologies/data/catalogue.h"

namespace ringspan::testing {

namespace {

const LinkPresets& presets() {
  static const LinkPresets read = [] {
    const ConfigDocument document =
        ConfigDocument::parse_text(catalogue_links().front().text, "links.toml");
    return LinkPresets::from_config(document.root());
  }();
  return read;
}

std::string text_of(const ClosCase& written) {
  return "[fabric]\nkind = \"" + written.kind + "\"\nlink = \"" + written.link + "\"\n" +
         written.keys;
}

std::vector<FabricFault> read_faults(const ConfigNode& root) {
  std::vector<FabricFault> faults;
  for (const ConfigNode& table : root.children("fault")) {
    faults.push_back({table, table.text_or("switch", ""), table.text_or("from", ""),
                      table.text_or("to", ""), table.integer_or("cables", 0, 0, 1'000),
                      table.number_or("rate", 0, 0, 1)});
  }
  return faults;
}

}  // namespace

std::unique_ptr<const Fabric> clos(const ClosCase& written) {
  ConfigDocument document = ConfigDocument::parse_text(text_of(written), "f.toml");
  const ConfigNode root = document.root();
  FabricInput input{root.child("fabric"), presets(), {}, read_faults(root), written.seed, {}};
  const std::string kind = input.config.text("kind");
  for (int server = 0; server < written.servers; ++server) {
    for (int nic = 0; nic < written.nics; ++nic) input.ports.push_back({server, server, nic});
  }
  for (std::size_t pod = 0; pod < written.pods.size(); ++pod) {
    input.pod_of_domain.insert(input.pod_of_domain.end(),
                               static_cast<std::size_t>(written.pods[pod]),
                               static_cast<std::int32_t>(pod));
  }
  if (written.pods.empty()) {
    input.pod_of_domain.assign(static_cast<std::size_t>(written.servers), 0);
  }
  const Registry<FabricFactory> fabrics = builtin_fabrics();
  std::unique_ptr<const Fabric> fabric = fabrics.at(kind).factory(input);
  document.finish();
  return fabric;
}

const ClosShape& shape_of(const Fabric& fabric) {
  return dynamic_cast<const ClosFabric&>(fabric).shape();
}

std::string clos_refusal(const ClosCase& written) {
  try {
    clos(written);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> link_names(const Fabric& fabric, const FlowKey& flow) {
  FabricRoute route;
  fabric.route(flow, route);
  std::vector<std::string> names;
  for (const FabricUse& use : route.uses) names.push_back(fabric.link(use.link).name);
  return names;
}

bool notes(const Fabric& fabric, std::string_view beginning) {
  for (const std::string& note : fabric.notes()) {
    if (note.starts_with(beginning)) return true;
  }
  return false;
}

void expect_sound(const Fabric& fabric, const FlowKey& flow, const FabricRoute& route) {
  ASSERT_GE(route.uses.size(), 2U);
  const auto ports = static_cast<std::uint32_t>(fabric.ports().size());
  const std::uint32_t planes = shape_of(fabric).planes;
  std::map<std::uint32_t, double> sums;
  std::uint32_t last = 0;
  for (const FabricUse& use : route.uses) {
    ASSERT_LT(use.link, fabric.link_count());
    EXPECT_GT(use.share, 0);
    EXPECT_GE(use.stage, last);
    last = use.stage;
    sums[use.stage] += static_cast<double>(use.share);
  }
  for (const FabricUse& use : route.uses) {
    const bool first = use.stage == 0, end = use.stage == last;
    EXPECT_EQ(first, use.link < planes * ports) << use.link;
    EXPECT_EQ(end, use.link >= planes * ports && use.link < 2 * planes * ports) << use.link;
    if (first) {
      EXPECT_EQ(use.link % ports, flow.source);
    }
    if (end) {
      EXPECT_EQ(use.link % ports, flow.destination);
    }
  }
  ASSERT_EQ(sums.size(), last + 1U);
  // Shares are floats; a stage may be a thousand cables.
  for (const auto& [stage, sum] : sums) EXPECT_NEAR(sum, 1, 1e-4) << "stage " << stage;
  // NIC to leaf, up and down: as many switches as stages between them.
  EXPECT_EQ(route.switches, static_cast<int>(last));
  EXPECT_GT(route.latency, Duration::zero());
}

std::map<std::uint32_t, double> loads_of_all_pairs(const Fabric& fabric, std::uint32_t channels) {
  std::map<std::uint32_t, double> loads;
  const auto ports = static_cast<std::uint32_t>(fabric.ports().size());
  FabricRoute route;
  for (std::uint32_t from = 0; from < ports; ++from) {
    for (std::uint32_t to = 0; to < ports; ++to) {
      if (from == to) continue;
      for (std::uint32_t channel = 0; channel < channels; ++channel) {
        fabric.route({from, to, channel}, route);
        for (const FabricUse& use : route.uses) loads[use.link] += static_cast<double>(use.share);
      }
    }
  }
  return loads;
}

}  // namespace ringspan::testing
