// What holds for predictions as a user gets them, with the built-in profiles, on systems of every
// class of fabric: more bytes never take less time within one algorithm and protocol; faster links
// and more channels (while each has a chunk per rank) never take more; a system's name changes
// nothing.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "app/scenario/scenario.h"
#include "sim/base/input_error.h"

namespace ringspan {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

const Catalog& catalog() {
  static const Catalog value = builtin_catalog();
  return value;
}

using Overrides = SystemOverrides;

System system_of(const char* name, int nodes, const Overrides& overrides = {}) {
  SystemSize size;
  size.servers = nodes;
  return load_system(catalog(), name, overrides, size);
}

// Forced, so that it is one algorithm and protocol at all sizes; empty where it cannot be.
std::optional<RunReport> forced(const System& system, int nodes, CollectiveKind kind,
                                const std::string& algorithm, Protocol protocol,
                                std::vector<Bytes> sizes, LaunchMode launch,
                                std::optional<int> channels = {}) {
  RunScenario scenario;
  scenario.collective = kind;
  scenario.nodes = nodes;
  scenario.sizes = std::move(sizes);
  scenario.algorithm = algorithm;
  scenario.protocol = protocol;
  scenario.launch = launch;
  scenario.channels = channels;
  try {
    return run_scenario(scenario, system, catalog());
  } catch (const InputError&) {
    return std::nullopt;
  }
}

struct Place {
  const char* system;
  int nodes;
};

struct Way {
  CollectiveKind kind;
  const char* algorithm;
};

const std::vector<Way> kWays = {
    {CollectiveKind::AllReduce, "ring"}, {CollectiveKind::AllReduce, "tree"},
    {CollectiveKind::AllReduce, "nvls"}, {CollectiveKind::AllReduce, "nvlstree"},
    {CollectiveKind::AllGather, "ring"}, {CollectiveKind::ReduceScatter, "ring"},
    {CollectiveKind::AllToAll, "p2p"}};

class EveryClass : public ::testing::TestWithParam<Place> {};

TEST_P(EveryClass, TimeNeverFallsWithSize) {
  const System system = system_of(GetParam().system, GetParam().nodes);
  const std::vector<Bytes> sizes = size_steps(Bytes{8}, Bytes{4096 * kMiB}, 2);
  for (const Way& way : kWays) {
    for (const Protocol protocol : kAllProtocols) {
      for (const LaunchMode launch : {LaunchMode::Processes, LaunchMode::SingleProcess}) {
        const auto report =
            forced(system, GetParam().nodes, way.kind, way.algorithm, protocol, sizes, launch);
        if (!report) continue;
        for (std::size_t i = 1; i < report->rows.size(); ++i) {
          EXPECT_GE(report->rows[i].time, report->rows[i - 1].time)
              << fmt::format("{} {} {}, {} B", collective_name(way.kind), way.algorithm,
                             protocol_name(protocol), report->rows[i].bytes);
        }
      }
    }
  }
}

TEST_P(EveryClass, ANameChangesNothing) {
  const System named = system_of(GetParam().system, GetParam().nodes);
  const System renamed = system_of(GetParam().system, GetParam().nodes, {{"name", "another"}});
  const std::vector<Bytes> sizes = size_steps(Bytes{8}, Bytes{1024 * kMiB}, 64);
  RunScenario scenario;
  scenario.nodes = GetParam().nodes;
  scenario.sizes = sizes;
  const RunReport one = run_scenario(scenario, named, catalog());
  const RunReport two = run_scenario(scenario, renamed, catalog());
  EXPECT_EQ(two.system, "another");
  ASSERT_EQ(one.rows.size(), two.rows.size());
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].time, two.rows[i].time);
    EXPECT_EQ(one.rows[i].algorithm, two.rows[i].algorithm);
    EXPECT_EQ(one.rows[i].channels, two.rows[i].channels);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryClass,
                         ::testing::Values(Place{"dgx-a100", 1}, Place{"dgx-h100", 1},
                                           Place{"dgx-b200", 1}, Place{"rtx-4090-8x-shm", 1},
                                           Place{"l40s-pcie-8x", 1}, Place{"dgx-h100", 2},
                                           Place{"gh200-slingshot", 2}),
                         [](const auto& test) {
                           std::string name = test.param.system;
                           for (char& letter : name) {
                             if (letter == '-') letter = '_';
                           }
                           return fmt::format("{}_x{}", name, test.param.nodes);
                         });

// On one server every GPU reaches the switches by all its links whatever the channel. 8 ranks x 512
// KiB x 32 channels are 128 MiB: a whole chunk of Simple for each rank (a quarter of NCCL's buffer
// of 4 MiB, half of it a slice). Between servers this holds for whole multiples of the rings that
// the search finds: what exceeds them doubles the load of some NICs.
TEST(MoreChannels, NeverSlowARingThatFillsThem) {
  const auto expect_never_slow = [](const char* name, int nodes, const std::vector<int>& counts) {
    const System system = system_of(name, nodes);
    Duration last = Duration::max();
    for (const int channels : counts) {
      const auto report = forced(system, nodes, CollectiveKind::AllReduce, "ring", Protocol::Simple,
                                 {Bytes{1024 * kMiB}}, LaunchMode::Processes, channels);
      ASSERT_TRUE(report);
      EXPECT_LE(report->rows.front().time, last) << name << ", " << channels << " channels";
      last = report->rows.front().time;
    }
  };
  expect_never_slow("dgx-h100", 1, {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32});
  expect_never_slow("dgx-a100", 1, {1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32});
  expect_never_slow("rtx-4090-8x-shm", 1, {1, 2, 3, 4, 6, 8, 12, 16});
  expect_never_slow("dgx-h100", 2, {1, 2, 4, 8, 16, 32});
}

// Cables of 200 and of 400 Gb/s.
TEST(FasterLinks, NeverSlowAForcedAlgorithm) {
  const System slow = system_of("dgx-h100", 2, {{"fabric.link", "ib-hdr"}});
  const System fast = system_of("dgx-h100", 2, {{"fabric.link", "ib-ndr"}});
  const std::vector<Bytes> sizes = size_steps(Bytes{8}, Bytes{1024 * kMiB}, 4);
  for (const Way& way : kWays) {
    for (const Protocol protocol : kAllProtocols) {
      const auto of = [&](const System& system) {
        return forced(system, 2, way.kind, way.algorithm, protocol, sizes, LaunchMode::Processes);
      };
      const auto slower = of(slow), faster = of(fast);
      if (!slower || !faster) continue;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_LE(faster->rows[i].time, slower->rows[i].time)
            << fmt::format("{} {} {}, {} B", collective_name(way.kind), way.algorithm,
                           protocol_name(protocol), sizes[i].count);
      }
    }
  }
}

}  // namespace
}  // namespace ringspan
