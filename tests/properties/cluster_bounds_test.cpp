// What holds for every algorithm on every kind of fabric: no run is faster than the lower bound,
// at either granularity.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"
#include "sim/config/config_node.h"
#include "topologies/data/catalogue.h"

namespace ringspan {
namespace {

struct FabricCase {
  std::string name;
  std::string server;
  std::string keys;  // of [fabric]
};

std::vector<FabricCase> fabric_cases() {
  return {
      {"single_switch", "dgx-h100", "kind = \"single-switch\"\nlink = \"ib-ndr\"\n"},
      {"leaf_spine", "dgx-a100",
       "kind = \"leaf-spine\"\nlink = \"ib-hdr\"\nservers_per_leaf = 2\n"
       "oversubscription = \"4:1\"\n"},
      {"ecmp", "dgx-h100",
       "kind = \"leaf-spine\"\nlink = \"ib-ndr\"\nservers_per_leaf = 2\nrouting = \"ecmp\"\n"},
      {"rails", "dgx-h100", "kind = \"rail-optimized\"\nlink = \"ib-ndr\"\n"},
      {"rails_reducing", "dgx-h100",
       "kind = \"rail-optimized\"\nlink = \"ib-ndr\"\nin_network_reduction = true\n"},
      {"rail_only", "dgx-h100", "kind = \"rail-only\"\nlink = \"ib-ndr\"\n"},
  };
}

System read(const Catalog& catalog, const FabricCase& fabric, int servers) {
  ConfigDocument document = ConfigDocument::parse_text(
      "name = \"" + fabric.name + "\"\ndescription = \"test\"\nsources = [\"test\"]\n" +
          "[node]\nuse = \"" + fabric.server + "\"\ncount = " + std::to_string(servers) +
          "\n[fabric]\n" + fabric.keys,
      fabric.name + ".toml");
  return read_system(document, catalog.links, [](std::string_view name) {
    for (const EmbeddedFile& file : catalogue_systems()) {
      if (file.name == name) {
        return std::optional(SystemText{std::string(file.text), std::string(name)});
      }
    }
    return std::optional<SystemText>();
  });
}

class EveryFabric : public ::testing::TestWithParam<FabricCase> {};

// A forced way that is barred on a system is refused: nothing to compare.
int rows_checked(const RunScenario& scenario, const System& system, const Catalog& catalog) {
  RunReport report;
  try {
    report = run_scenario(scenario, system, catalog);
  } catch (const InputError&) {
    return 0;
  }
  for (const RunRow& row : report.rows) {
    EXPECT_GE(row.time, row.lower_bound)
        << system.info.name << ", " << report.gpus << " ranks, "
        << collective_name(report.collective) << ", " << row.algorithm << ", "
        << protocol_name(row.protocol) << ", " << row.bytes << " bytes: " << row.lower_bound_reason;
  }
  return static_cast<int>(report.rows.size());
}

TEST_P(EveryFabric, NoAlgorithmIsFasterThanTheLowerBound) {
  const Catalog catalog = builtin_catalog();
  const System system = read(catalog, GetParam(), 4);
  int checked = 0;
  for (const auto& entry : catalog.algorithms.entries()) {
    for (const CollectiveKind kind : entry.factory()->collectives()) {
      RunScenario scenario;
      scenario.collective = kind;
      scenario.algorithm = entry.name;
      scenario.sizes = {Bytes{1 << 20}, Bytes{std::int64_t{1} << 30}};
      scenario.granularity = Granularity::Stream;
      scenario.root = collective_has_root(kind) ? 5 : 0;
      checked += rows_checked(scenario, system, catalog);
      scenario.granularity.reset();
      scenario.nodes = 3;
      scenario.gpus = 15;
      scenario.sizes = {Bytes{1 << 20}};
      checked += rows_checked(scenario, system, catalog);
    }
  }
  EXPECT_GT(checked, 40);
}

INSTANTIATE_TEST_SUITE_P(Fabrics, EveryFabric, ::testing::ValuesIn(fabric_cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ringspan
