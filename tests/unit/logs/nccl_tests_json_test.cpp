#include "validation/logs/nccl_tests_json.h"

#include <gtest/gtest.h>

#include <string>

namespace ringspan {
namespace {

const std::string kLog = R"({
  "version": 3,
  "start_time": "2026-01-01 00:00:00",
  "args": ["/opt/bin/alltoall_perf", "-b", "1K", "-J", "out.json"],
  "env": ["HOME=/root", "NCCL_PROTO=Simple", "NCCL_DEBUG=INFO"],
  "nccl_version": 22907,
  "config": {"nthreads": 2, "ngpus": 1, "minimum_bytes": 1024, "maximum_bytes": 2048,
    "devices": [{"rank": 0, "group": 0, "pid": 7, "hostname": "a", "device": 0}]},
  "results": [
    {"size": 1024, "count": 128, "type": "half", "redop": "none", "root": "    -1",
     "out_of_place": {"time": 12.5, "alg_bw": 0.08, "bus_bw": 0.04, "nwrong": null},
     "in_place": {"time": 12.1}, "out_of_place_per_iter": {"times_us": [1, 2]}},
    {"size": 2048, "type": "half", "out_of_place": {"time": "13.25"}}
  ],
  "out_of_bounds": {"count": 0, "okay": "true"}
}
)";

LogContents read(const std::string& text, const LogOptions& options = {"dgx-h100", std::nullopt}) {
  return nccl_tests_json_format().read(text, "o.json", options);
}

std::string first_problem(const LogContents& contents) {
  return contents.problems.empty() ? "none" : format_problem(contents.problems.front());
}

std::string replaced(const std::string& what, const std::string& with) {
  std::string text = kLog;
  text.replace(text.find(what), what.size(), with);
  return text;
}

TEST(NcclTestsJson, ALogIsRead) {
  const LogContents contents = read(kLog);
  EXPECT_EQ(first_problem(contents), "none");
  ASSERT_EQ(contents.rows.size(), 2u);
  const MeasuredRow& row = contents.rows.front();
  EXPECT_EQ(row.system, "dgx-h100");
  EXPECT_EQ(row.nodes, 1);
  EXPECT_EQ(row.gpus, 2);  // a build without MPI lists one device; -t 2 -g 1
  EXPECT_EQ(row.launch, "threads");
  EXPECT_EQ(row.nccl, "2.29.7");
  EXPECT_EQ(row.collective, CollectiveKind::AllToAll);
  EXPECT_EQ(row.env, "NCCL_PROTO=Simple");
  EXPECT_EQ(row.dtype, "half");
  EXPECT_EQ(row.bytes, 1024);
  EXPECT_EQ(row.time_us, 12.5);
  EXPECT_EQ(row.case_name, "o_alltoall");
  EXPECT_EQ(contents.rows[1].time_us, 13.25);
}

TEST(NcclTestsJson, ASystemInItWinsOverTheOption) {
  const LogContents contents =
      read(replaced("\"version\": 3", "\"version\": 3, \"system\": \"x\""));
  ASSERT_FALSE(contents.rows.empty());
  EXPECT_EQ(contents.rows.front().system, "x");
  EXPECT_EQ(first_problem(read(kLog, {})),
            "o.json: error: nccl-tests does not say on which system it ran\n"
            "hint: give --system NAME ('ringspan list systems' shows the catalogue)");
}

TEST(NcclTestsJson, WhatComesBeforeACutStands) {
  // In the second result; 60 characters of its line are left.
  const LogContents contents = read(kLog.substr(0, kLog.find("\"13.25\"")));
  ASSERT_EQ(contents.rows.size(), 1u);
  EXPECT_EQ(contents.rows.front().bytes, 1024);
  EXPECT_EQ(first_problem(contents).substr(0, 57),
            "o.json:13:60: error: the log is cut off: its JSON does no");
}

TEST(NcclTestsJson, AMistakeOfSyntaxHasItsPlace) {
  const LogContents contents =
      read("{\n  \"version\": x\n}\n", {"dgx-h100", CollectiveKind::Reduce});
  EXPECT_EQ(first_problem(contents).substr(0, 39), "o.json:2:14: error: this is no JSON\nhin");
}

TEST(NcclTestsJson, WhatIsNoTimeIsNamedByItsPath) {
  EXPECT_EQ(first_problem(read(replaced("12.5", "\"12.5us\""))),
            "o.json: error: results[0].out_of_place.time: is no time in microseconds\n"
            "hint: nccl-tests writes microseconds above 0");
  EXPECT_EQ(first_problem(read(replaced("{\"time\": 12.5,", "{\"cpu_time\": 12.5,"))),
            "o.json: error: results[0].out_of_place.time: is missing\n"
            "hint: measure without -C: cpu_time is that of the host");
  EXPECT_EQ(first_problem(read(replaced("1024, \"count\"", "\"1K\", \"count\""))),
            "o.json: error: results[0].size: is no whole number of bytes\n"
            "hint: nccl-tests writes bytes");
}

TEST(NcclTestsJson, TimesAndSizesBeyondTheClockAreRefused) {
  const LogContents contents = read(replaced("12.5", "1e300"));
  EXPECT_EQ(contents.rows.size(), 1u);
  EXPECT_EQ(contents.refused, 1u);
  EXPECT_EQ(first_problem(contents).substr(0, 73),
            "o.json: error: results[0].out_of_place.time: is no time in microseconds\nh");
  EXPECT_EQ(read(replaced("2048, \"type\"", "9223372036854775807, \"type\"")).refused, 1u);
}

TEST(NcclTestsJson, OtherJsonIsRefused) {
  EXPECT_EQ(first_problem(read("{}")),
            "o.json: error: results: is missing\nhint: nccl-tests writes it with -J FILE");
  EXPECT_EQ(first_problem(read(replaced("alltoall_perf", "program"))),
            "o.json: error: args: no program of nccl-tests is named\n"
            "hint: give --collective NAME");
}

TEST(NcclTestsJson, DeepAndHugeValuesAreNoTrouble) {
  const std::string deep(200'000, '[');
  EXPECT_FALSE(read("{\"a\": " + deep).problems.empty());
  EXPECT_FALSE(read("{\"results\": [{\"size\": " + deep).problems.empty());
  EXPECT_FALSE(read("{\"version\": 1e999}").problems.empty());
}

}  // namespace
}  // namespace ringspan
