// Several collectives at once: what holds for any of them, closed forms where there are some, and
// how far `stream` is from `chunk` (docs/models.md, "Several collectives at once").

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/scenario/concurrent_scenario.h"
#include "sim/config/config_node.h"
#include "topologies/data/catalogue.h"

namespace ringspan {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

const Catalog& catalog() {
  static const Catalog known = builtin_catalog();
  return known;
}

// 8 servers of 8 H100s with a NIC each, 4 to a leaf, 4:1 above: ranks 0-31 on leaf 0, 32-63 on leaf
// 1. Flows are spread over the uplinks.
const System& tapered() {
  static const System system = load_system(catalog(), "dgx-h100",
                                           {{"fabric.kind", "leaf-spine"},
                                            {"fabric.servers_per_leaf", "4"},
                                            {"fabric.oversubscription", "4:1"},
                                            {"fabric.routing", "spray"}},
                                           {8, std::nullopt, 0});
  return system;
}

struct Options {
  std::string algorithm;  // of all; empty: NCCL's
  Granularity granularity = Granularity::Chunk;
  NetworkKind network = NetworkKind::Fluid;
};

ConcurrentReport run_jobs(const System& system, std::vector<JobSpec> jobs, std::int64_t bytes,
                          const Options& options) {
  ConcurrentScenario scenario;
  scenario.jobs = std::move(jobs);
  scenario.common.sizes = {Bytes{bytes}};
  scenario.common.protocol = Protocol::Simple;
  scenario.common.granularity = options.granularity;
  scenario.common.network = options.network;
  if (!options.algorithm.empty()) scenario.common.algorithm = options.algorithm;
  return run_concurrent(scenario, system, catalog());
}

std::vector<JobRow> rows_of(const std::string& jobs, std::int64_t bytes, const Options& options) {
  const auto report = run_jobs(tapered(), parse_jobs(jobs, std::nullopt), bytes, options);
  EXPECT_TRUE(report.stalled.empty()) << report.stalled;
  EXPECT_EQ(report.runs.size(), 1U);
  return report.runs.at(0).rows;
}

double slowdown(const JobRow& row) { return to_seconds(row.row.time) / to_seconds(row.alone); }

constexpr Granularity kBoth[] = {Granularity::Stream, Granularity::Chunk};

TEST(Concurrent, AJobByItselfTakesWhatTheCollectiveTakes) {
  for (const Granularity granularity : kBoth) {
    for (const char* collective : {"all_reduce", "alltoall", "all_gather", "broadcast"}) {
      RunScenario alone;
      alone.collective = collective_from_name(collective);
      alone.sizes = {Bytes{16 * kMiB}};
      alone.gpus = 16;
      alone.protocol = Protocol::Simple;
      alone.granularity = granularity;
      alone.iterations = 1;
      const RunReport report = run_scenario(alone, tapered(), catalog());
      const auto rows = rows_of(std::string(collective) + "@0-15", 16 * kMiB, {"", granularity});
      EXPECT_EQ(rows[0].row.algorithm, report.rows[0].algorithm) << collective;
      // Sums of whole picoseconds against a sum of parts.
      EXPECT_NEAR(to_microseconds(rows[0].row.time), to_microseconds(report.rows[0].time), 1e-3)
          << collective << ", " << granularity_name(granularity);
      EXPECT_EQ(rows[0].alone, report.rows[0].time) << collective;
    }
  }
}

// On other servers and, with spraying at 1:1 below the leaf, on links of their own.
TEST(Concurrent, JobsWithoutACommonLinkDoNotNoticeEachOther) {
  for (const Granularity granularity : kBoth) {
    const auto rows = rows_of("all_reduce@0-7,alltoall@8-15,all_gather@16-31,broadcast@32-47",
                              16 * kMiB, {"", granularity});
    for (const JobRow& row : rows) {
      EXPECT_NEAR(slowdown(row), 1, 1e-6) << row.job << ", " << granularity_name(granularity);
      EXPECT_TRUE(row.beside.empty());
    }
  }
}

// Both are held by the same NICs and uplinks, and bytes rule: each gets half, so that a large size
// takes twice its time alone, less what latency took of it: at 256 MiB alone is within 3 % of
// bytes over rate (measured: 1.98).
TEST(Concurrent, TwoRingsShareTheirNicsEvenly) {
  for (const Granularity granularity : kBoth) {
    const auto rows =
        rows_of("all_reduce@0-7+32-39,all_reduce@0-7+32-39", 256 * kMiB, {"ring", granularity});
    for (const JobRow& row : rows) {
      EXPECT_GT(slowdown(row), 1.9) << granularity_name(granularity);
      EXPECT_LT(slowdown(row), 2.001) << granularity_name(granularity);
      EXPECT_EQ(row.beside.size(), 1U);
    }
    EXPECT_EQ(rows[0].row.time, rows[1].row.time);
  }
}

// The documented bound: rings and alltoalls that share a NIC or an uplink, from 128 MiB on.
TEST(Concurrent, StreamIsNearChunkWhereRingsAndAllToAllsShareLinks) {
  const struct {
    const char* jobs;
    const char* what;
  } cases[] = {
      {"all_reduce@0-7+32-39,all_reduce@0-7+32-39", "two rings, the same NICs"},
      {"all_reduce@0-7+32-39,all_gather@0-7+32-39", "two rings of other sizes"},
      {"all_reduce@0-7+32-39,all_reduce@8-15+40-47", "two rings, one uplink"},
      {"all_reduce@0-7+32-39,alltoall@8-15+40-47", "a ring beside an alltoall, one uplink"},
      {"all_gather@0-7+32-39,alltoall@8-15+40-47", "a ring beside an alltoall, one uplink"},
      {"all_reduce@0-7+32-39,alltoall@0-7+32-39", "a ring beside an alltoall, the same NICs"},
      {"alltoall@0-7+32-39,alltoall@8-15+40-47", "two alltoalls, one uplink"},
      {"all_reduce@0-3+32-35,all_reduce@0-7+16-23", "two rings that meet in some ranks"},
  };
  for (const auto& [jobs, what] : cases) {
    ConcurrentScenario scenario;
    std::vector<JobSpec> specs = parse_jobs(jobs, std::nullopt);
    for (JobSpec& spec : specs) {
      if (spec.collective != CollectiveKind::AllToAll) spec.algorithm = "ring";
    }
    const auto stream = run_jobs(tapered(), specs, 128 * kMiB, {"", Granularity::Stream});
    const auto chunk = run_jobs(tapered(), specs, 128 * kMiB, {"", Granularity::Chunk});
    for (std::size_t j = 0; j < specs.size(); ++j) {
      const double ratio =
          to_seconds(stream.runs[0].rows[j].row.time) / to_seconds(chunk.runs[0].rows[j].row.time);
      EXPECT_NEAR(ratio, 1, 0.02) << what << ": job " << j + 1;
    }
  }
}

// With trees and NVLS trees on GPUs of their own, over one uplink.
TEST(Concurrent, StreamIsNotFarFromChunkWithTrees) {
  for (const char* algorithm : {"tree", "nvlstree"}) {
    for (const char* other : {"all_gather@8-15+40-47", "alltoall@8-15+40-47"}) {
      std::vector<JobSpec> specs =
          parse_jobs(std::string("all_reduce@0-7+32-39,") + other, std::nullopt);
      specs[0].algorithm = algorithm;
      const auto stream = run_jobs(tapered(), specs, 128 * kMiB, {"", Granularity::Stream});
      const auto chunk = run_jobs(tapered(), specs, 128 * kMiB, {"", Granularity::Chunk});
      for (std::size_t j = 0; j < specs.size(); ++j) {
        const double ratio = to_seconds(stream.runs[0].rows[j].row.time) /
                             to_seconds(chunk.runs[0].rows[j].row.time);
        EXPECT_NEAR(ratio, 1, 0.15) << algorithm << " beside " << other << ": job " << j + 1;
      }
    }
  }
}

// Where both have as many flows on a link, first come, first served is a fair share.
TEST(Concurrent, QueueingIsNearFluidBetweenEquals) {
  const std::string jobs = "all_reduce@0-7+32-39,all_reduce@8-15+40-47";
  const auto fluid = rows_of(jobs, 64 * kMiB, {"ring", Granularity::Chunk});
  const auto queueing =
      rows_of(jobs, 64 * kMiB, {"ring", Granularity::Chunk, NetworkKind::Queueing});
  for (std::size_t j = 0; j < fluid.size(); ++j) {
    EXPECT_NEAR(to_seconds(queueing[j].row.time) / to_seconds(fluid[j].row.time), 1, 0.05) << j;
  }
}

// At chunk, slices that come a little later may fall into a gap that they missed before: up to 2 %
// were seen.
TEST(Concurrent, AnotherJobHardlyEverHelps) {
  for (const Granularity granularity : kBoth) {
    const double least = granularity == Granularity::Stream ? 0.9999 : 0.97;
    for (const char* first : {"all_reduce@0-15", "alltoall@0-15", "broadcast@0-15"}) {
      for (const char* second : {"all_reduce@0-31", "alltoall@8-23", "gather@4-11"}) {
        const auto rows = rows_of(std::string(first) + "," + second, 8 * kMiB, {"", granularity});
        for (const JobRow& row : rows) {
          EXPECT_GT(slowdown(row), least) << first << " beside " << second << ": job "
                                          << row.job + 1 << ", " << granularity_name(granularity);
        }
      }
    }
  }
}

// 2 begins when 1 ends and 5 us have passed: nothing beside either of them.
TEST(Concurrent, JobsThatWaitRunOneAfterTheOther) {
  const auto jobs = parse_job_file(
      "[[job]]\ncollective = \"all_reduce\"\nranks = \"0-15\"\n"
      "[[job]]\ncollective = \"all_reduce\"\nranks = \"0-15\"\nafter = [\"1\"]\ndelay = \"5 us\"\n",
      "jobs.toml", std::nullopt);
  for (const Granularity granularity : kBoth) {
    const auto report = run_jobs(tapered(), jobs, 4 * kMiB, {"", granularity});
    const auto& rows = report.runs.at(0).rows;
    EXPECT_EQ(rows[1].start, rows[0].end + microseconds(5));
    EXPECT_NEAR(slowdown(rows[0]), 1, 1e-6);
    EXPECT_NEAR(slowdown(rows[1]), 1, 1e-6);
    EXPECT_EQ(report.runs[0].time, rows[1].end);
  }
}

// A job that starts when half of the other is done slows its second half alone: bytes B each at
// rate C. Alone T. From 0 to T/2 the first has C, then both have C/2 until it ends at
// T/2 + 2 x T/2 = 1.5 T; the second has moved half by then and ends at 2 T. (Latency
// and the last copy of each loop aside, which hold no link.)
TEST(Concurrent, AJobThatComesLaterSlowsTheRest) {
  const auto alone = rows_of("all_reduce@0-7+32-39", 512 * kMiB, {"ring", Granularity::Stream});
  auto jobs = parse_jobs("all_reduce@0-7+32-39,all_reduce@0-7+32-39", std::nullopt);
  jobs[1].start = alone[0].alone / 2;
  for (const Granularity granularity : kBoth) {
    const auto report = run_jobs(tapered(), jobs, 512 * kMiB, {"ring", granularity});
    const auto& rows = report.runs.at(0).rows;
    const double whole = to_seconds(alone[0].alone);
    EXPECT_NEAR(to_seconds(rows[0].end) / whole, 1.5, 0.04) << granularity_name(granularity);
    EXPECT_NEAR(to_seconds(rows[1].end) / whole, 2.0, 0.04) << granularity_name(granularity);
  }
}

TEST(Concurrent, JobsThatMoveNothingTakeTheirLaunch) {
  for (const Granularity granularity : kBoth) {
    const auto rows = rows_of("all_reduce@5,all_gather@0-3", 0, {"", granularity});
    EXPECT_GT(rows[0].row.time, Duration{});
    EXPECT_EQ(rows[0].row.time, rows[0].alone);
    EXPECT_EQ(rows[1].row.time, rows[1].alone);
  }
}

TEST(Concurrent, ARankThatIsNotThereIsRefused) {
  try {
    rows_of("all_reduce@0-7,all_gather@60-64", kMiB, {});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string text = format_problem(error.problems().front());
    EXPECT_NE(text.find("job 2 (all_gather@60-64) has rank 64, and the run has 64"),
              std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace ringspan
