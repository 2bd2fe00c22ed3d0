// Rings over servers at every size, from where latency rules to where bytes do: `stream` against
// `chunk` (docs/models.md, "By how much they differ").

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/scenario/scenario.h"

namespace ringspan {
namespace {

struct Servers {
  const char* system;
  int nodes;
};

// Of its GPUs: the table in docs/models.md was made with NCCL's published constants.
std::string published(std::string_view system) {
  if (system == "dgx-a100" || system == "l40s-pcie-8x") return "nccl-ampere";
  return "nccl-hopper";
}

TEST(RingsOverServers, StreamIsNearChunkAtEverySize) {
  const Catalog catalog = builtin_catalog();
  for (const auto& [name, nodes] :
       {Servers{"dgx-h100", 2}, Servers{"dgx-h100", 4}, Servers{"dgx-a100", 3},
        Servers{"gh200-slingshot", 16}, Servers{"l40s-pcie-8x", 2}}) {
    const System system = load_system(catalog, name, {}, {nodes, std::nullopt, 0});
    for (const CollectiveKind kind : {CollectiveKind::AllReduce, CollectiveKind::AllGather}) {
      RunScenario scenario;
      scenario.collective = kind;
      scenario.nodes = nodes;
      scenario.algorithm = "ring";
      scenario.protocol = Protocol::Simple;
      scenario.profile = load_profile(catalog, published(name));
      scenario.sizes = size_steps(Bytes{1 << 16}, Bytes{1 << 28}, 4);
      scenario.granularity = Granularity::Stream;
      const RunReport stream = run_scenario(scenario, system, catalog);
      scenario.granularity = Granularity::Chunk;
      const RunReport chunk = run_scenario(scenario, system, catalog);
      ASSERT_EQ(stream.rows.size(), chunk.rows.size());
      for (std::size_t i = 0; i < stream.rows.size(); ++i) {
        EXPECT_NEAR(to_seconds(stream.rows[i].time) / to_seconds(chunk.rows[i].time), 1, 0.10)
            << name << " x " << nodes << ", " << collective_name(kind) << ", "
            << stream.rows[i].bytes << " bytes";
      }
    }
  }
}

}  // namespace
}  // namespace ringspan
