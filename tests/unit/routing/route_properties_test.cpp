// What holds for every pair of GPUs of every system of the catalogue.

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "models/links/link_preset.h"
#include "sim/config/config_node.h"
#include "topologies/builders/system.h"
#include "topologies/data/catalogue.h"
#include "topologies/routing/gpu_router.h"

namespace ringspan {
namespace {

std::optional<SystemText> find_text(std::string_view name) {
  for (const EmbeddedFile& file : catalogue_systems()) {
    if (file.name == name) return SystemText{std::string(file.text), std::string(file.name)};
  }
  return std::nullopt;
}

Topology catalogue_topology(std::string_view name) {
  ConfigDocument links = ConfigDocument::parse_text(catalogue_links().front().text, "links.toml");
  const LinkPresets presets = LinkPresets::from_config(links.root());
  const std::optional<SystemText> text = find_text(name);
  ConfigDocument document = ConfigDocument::parse_text(text->text, text->file);
  return read_system(document, presets, find_text).topology();
}

class CatalogueRoutes : public testing::TestWithParam<std::string> {};

// Bytes leave the source once, arrive once, and every device between passes on what comes in.
void expect_flow(const Topology& topology, const Route& route, NodeId from, NodeId to) {
  std::map<std::uint32_t, std::map<NodeId, double>> leaving;
  std::map<std::uint32_t, std::map<NodeId, double>> arriving;
  for (const RouteLink& step : route.links) {
    const Link& link = topology.link(step.link);
    leaving[step.stage][link.from] += step.share;
    arriving[step.stage + 1][link.to] += step.share;
    EXPECT_GT(step.share, 0.0);
  }
  const std::uint32_t last = route.links.back().stage;
  ASSERT_EQ(leaving[0].size(), 1u);
  EXPECT_NEAR(leaving[0][from], 1.0, 1e-12);
  ASSERT_EQ(arriving[last + 1].size(), 1u);
  EXPECT_NEAR(arriving[last + 1][to], 1.0, 1e-12);
  for (std::uint32_t stage = 1; stage <= last; ++stage) {
    ASSERT_EQ(leaving[stage].size(), arriving[stage].size());
    for (const auto& [device, share] : arriving[stage]) {
      EXPECT_NEAR(leaving[stage][device], share, 1e-12);
    }
  }
}

TEST_P(CatalogueRoutes, ConserveBytesAndAreAlikeBothWays) {
  const Topology topology = catalogue_topology(GetParam());
  const GpuRouter router(topology);
  for (const NodeId from : topology.gpus()) {
    for (const NodeId to : topology.gpus()) {
      if (from == to || topology.device(from).server != topology.device(to).server) continue;
      const Route route = router.route(from, to);
      ASSERT_FALSE(route.links.empty());
      expect_flow(topology, route, from, to);
      for (const RouteLink& step : route.links) {
        const Link& link = topology.link(step.link);
        EXPECT_LE(static_cast<double>(route.payload.bits_per_second) * step.share,
                  static_cast<double>(link.payload().bits_per_second) * (1 + 1e-9) + 1.0);
        EXPECT_LE(link.latency, route.latency);
      }
      EXPECT_EQ(route.via.size(), route.links.back().stage);
      const Route back = router.route(to, from);
      EXPECT_EQ(back.kind, route.kind);
      EXPECT_EQ(back.payload, route.payload);
      EXPECT_EQ(back.latency, route.latency);
      EXPECT_EQ(back.staged, route.staged);
    }
  }
}

std::vector<std::string> system_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : catalogue_systems()) names.emplace_back(file.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Systems, CatalogueRoutes, testing::ValuesIn(system_names()),
                         [](const testing::TestParamInfo<std::string>& system) {
                           std::string name = system.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace ringspan
