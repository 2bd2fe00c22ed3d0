#include "app/report/run_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "models/workloads/chunk_run.h"
#include "models/workloads/stream_run.h"
#include "sim/network/fluid_network.h"
#include "tests/support/clusters.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

using nlohmann::json;

constexpr std::int64_t kMiB = 1 << 20;

testing::TestPlan ring_of(Cluster cluster, int channels) {
  return {std::move(cluster),
          {"ring", CollectiveKind::AllReduce},
          Protocol::Simple,
          channels,
          testing::ideal_profile()};
}

json written(const RunTrace& trace) {
  std::string text;
  trace.write({{"system", "two \"servers\""}}, [&](std::string_view piece) { text += piece; });
  return json::parse(text);
}

Duration run_traced(const testing::TestPlan& test, Bytes size, RunTrace& trace) {
  FluidNetwork network(test.plan().links);
  trace.run_begins(test.input(), test.outline());
  const RunResult result = run_chunk(test.plan(), test.cut(size), network, {}, &trace);
  trace.run_ends();
  return result.time;
}

std::vector<json> events(const json& trace, const std::string& phase) {
  std::vector<json> found;
  for (const json& event : trace.at("traceEvents")) {
    if (event.at("ph") == phase) found.push_back(event);
  }
  return found;
}

TEST(RunTrace, SlicesCarryAllBytesOfTheCollective) {
  const testing::TestPlan test = ring_of(testing::servers_on_a_crossbar(2, 2), 2);
  RunTrace trace;
  const Duration time = run_traced(test, Bytes{16 * kMiB}, trace);
  const json file = written(trace);
  std::int64_t bytes = 0;
  double last = 0;
  for (const json& slice : events(file, "X")) {
    bytes += slice.at("args").at("bytes").get<std::int64_t>();
    last = std::max(last, slice.at("args").at("arrives_us").get<double>());
    EXPECT_EQ(slice.at("cat"), "all_reduce");
    EXPECT_LE(slice.at("ts").get<double>() + slice.at("dur").get<double>(),
              slice.at("args").at("arrives_us").get<double>() + 1e-6);
  }
  // Every one of 4 ranks sends 2 x 3/4 of the size.
  EXPECT_EQ(bytes, 4 * 2 * 3 * 16 * kMiB / 4);
  EXPECT_NEAR(last, to_microseconds(time), 1e-6);
}

TEST(RunTrace, NamesServersAndRanks) {
  RunTrace trace;
  run_traced(ring_of(testing::servers_on_a_crossbar(2, 2), 1), Bytes{kMiB}, trace);
  std::vector<std::string> names;
  for (const json& event : events(written(trace), "M")) {
    names.push_back(event.at("args").at("name").get<std::string>());
  }
  EXPECT_THAT(names,
              ::testing::ElementsAre("server0", "server1", "busiest links (share of their rate)",
                                     "server0.gpu0 to server0.gpu1, channel 0",
                                     "server0.gpu1 to server1.gpu0, channel 0",
                                     "server1.gpu0 to server1.gpu1, channel 0",
                                     "server1.gpu1 to server0.gpu0, channel 0"));
}

TEST(RunTrace, BarsOfAThreadFollowOneAnother) {
  RunTrace trace;
  run_traced(ring_of(testing::servers_on_a_crossbar(2, 2), 1), Bytes{8 * kMiB}, trace);
  std::map<std::pair<int, int>, double> end_of;
  for (const json& slice : events(written(trace), "X")) {
    double& end = end_of[{slice.at("pid").get<int>(), slice.at("tid").get<int>()}];
    const double begin = slice.at("ts").get<double>();
    EXPECT_GE(begin, end - 1e-6);
    end = begin + slice.at("dur").get<double>();
  }
  EXPECT_EQ(end_of.size(), 4U);
}

TEST(RunTrace, CountersAreSharesAndShowTheBusyPort) {
  RunTrace trace;
  run_traced(ring_of(testing::servers_on_a_crossbar(2, 2), 1), Bytes{64 * kMiB}, trace);
  double most = 0;
  std::map<std::string, int> links;
  for (const json& counter : events(written(trace), "C")) {
    const double busy = counter.at("args").at("busy").get<double>();
    EXPECT_GE(busy, 0);
    EXPECT_LE(busy, 1);
    most = std::max(most, busy);
    ++links[counter.at("name").get<std::string>()];
  }
  // The ring crosses between the servers over ports of 50 GB/s, which it fills: from server0 by the
  // NIC on the rail of the receiver, which is the first GPU of server1.
  EXPECT_GT(most, 0.95);
  EXPECT_LE(links.size(), RunTrace::kMostLinks);
  EXPECT_EQ(links.count("port0 -> switch"), 1U);
}

TEST(RunTrace, SaysHowManyEventsAreLeftOut) {
  const testing::TestPlan test = ring_of(testing::servers_on_a_crossbar(2, 2), 1);
  RunTrace whole, cut(10);
  run_traced(test, Bytes{kMiB}, whole);
  run_traced(test, Bytes{kMiB}, cut);
  const auto all = static_cast<std::int64_t>(events(written(whole), "X").size());
  EXPECT_GT(all, 10);
  EXPECT_EQ(cut.events_left_out(), all - 10);
  const json file = written(cut);
  EXPECT_EQ(events(file, "X").size(), 10U);
  EXPECT_EQ(file.at("otherData").at("events_left_out"), all - 10);
  EXPECT_EQ(file.at("otherData").at("event_limit"), 10);
  EXPECT_EQ(file.at("otherData").at("system"), "two \"servers\"");
}

TEST(RunTrace, TheRunTakesAsLongAsWithoutOne) {
  const testing::TestPlan test = ring_of(testing::servers_on_a_crossbar(2, 2), 2);
  RunTrace trace;
  EXPECT_EQ(run_traced(test, Bytes{kMiB}, trace), testing::chunk_time(test, Bytes{kMiB}));
}

TEST(RunTrace, OfAStreamHasPhasesWithTheirRate) {
  const testing::TestPlan test = ring_of(testing::servers_on_a_crossbar(2, 2), 1);
  RunTrace trace;
  trace.run_begins(test.input(), test.outline());
  const Bytes size{64 * kMiB};
  run_stream(
      test.loads(), test.cut(size), [&]() -> const CollectivePlan& { return test.plan(); }, {},
      &trace);
  trace.run_ends();
  const json file = written(trace);
  double bytes = 0;
  for (const json& phase : events(file, "X")) {
    const json& facts = phase.at("args");
    bytes += facts.at("steps").get<double>() * facts.at("wire_bytes_per_step").get<double>();
    // The ring's pace is that of the port.
    EXPECT_LE(facts.at("gbytes_per_second").get<double>(), 50.0001);
  }
  // Each rank sends 2 x 3/4 of the size, a block of a quarter of it per step.
  EXPECT_NEAR(bytes, 1.5 * static_cast<double>(size.count), 1e-6 * bytes);
  double most = 0;
  for (const json& counter : events(file, "C")) {
    most = std::max(most, counter.at("args").at("busy").get<double>());
  }
  EXPECT_GT(most, 0.95);
  EXPECT_LE(most, 1);
}

}  // namespace
}  // namespace ringspan
