#include "models/cost/profile_writing.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "sim/config/toml_text.h"

namespace ringspan {
namespace {

Profile read_back(const std::string& text) {
  ConfigDocument document = ConfigDocument::parse_text(text, "p.toml");
  return read_profile(document);
}

FitRecord some_record() {
  FitRecord record;
  record.date = "2026-01-31";
  record.tool = "ringspan 0.1.0";
  record.seed = 7;
  record.base = "nccl-hopper";
  record.sources = {"a.csv", "b \"c\".log"};
  record.rows = 40;
  record.cases = 2;
  record.undetermined = {"launch.per_gpu"};
  record.ranges = {{FabricClass::PcieServer,
                    CollectiveKind::AllToAll,
                    {"p2p"},
                    Bytes{8},
                    Bytes{std::int64_t{1} << 30},
                    2,
                    8}};
  record.residuals = {{FabricClass::PcieServer, SizeClass::Large, 12, 2, 0.91, 1.01, 1.2}};
  return record;
}

// Reading what was written and writing it again gives the same text, so nothing is lost on the way
// that the text has; that the text has everything, the tests of reading and of fits show.
// NCCL's constants, without a fit.
Profile published() {
  const std::vector<Profile> profiles = builtin_profiles();
  return *std::find_if(profiles.begin(), profiles.end(),
                       [](const Profile& profile) { return profile.name == "nccl-generic"; });
}

TEST(ProfileWriting, WhatIsWrittenIsReadBack) {
  for (const Profile& profile : builtin_profiles()) {
    const std::string text = write_profile(profile);
    const Profile again = read_back(text);
    EXPECT_EQ(write_profile(again), text) << profile.name;
    EXPECT_EQ(again.launch.call, profile.launch.call);
    EXPECT_EQ(again.ll_rate_per_gpu, profile.ll_rate_per_gpu);
    EXPECT_EQ(again.link_share, profile.link_share);
    EXPECT_EQ(again.reference_wire, profile.reference_wire);
    EXPECT_EQ(again.nvls_channels_over_nodes, profile.nvls_channels_over_nodes);
    ASSERT_EQ(again.algorithms.size(), profile.algorithms.size());
    for (std::size_t i = 0; i < profile.algorithms.size(); ++i) {
      EXPECT_EQ(again.algorithms[i].algorithm, profile.algorithms[i].algorithm);
      EXPECT_EQ(again.algorithms[i].base, profile.algorithms[i].base);
      EXPECT_EQ(again.algorithms[i].network_step, profile.algorithms[i].network_step);
    }
    EXPECT_EQ(again.fit.has_value(), profile.fit.has_value());
  }
}

TEST(ProfileWriting, TheRecordOfAFitIsReadBack) {
  Profile profile = published();
  profile.fit = some_record();
  const std::string text = write_profile(profile);
  const Profile again = read_back(text);
  EXPECT_EQ(write_profile(again), text);
  ASSERT_TRUE(again.fit.has_value());
  EXPECT_EQ(again.fit->sources, profile.fit->sources);
  EXPECT_EQ(again.fit->undetermined, profile.fit->undetermined);
  ASSERT_EQ(again.fit->ranges.size(), 1u);
  EXPECT_EQ(again.fit->ranges[0].fabric_class, FabricClass::PcieServer);
  EXPECT_EQ(again.fit->ranges[0].most, Bytes{std::int64_t{1} << 30});
  ASSERT_EQ(again.fit->residuals.size(), 1u);
  EXPECT_EQ(again.fit->residuals[0].size_class, SizeClass::Large);
  EXPECT_EQ(again.fit->residuals[0].q90, 1.2);
}

TEST(ProfileWriting, CommentsStandBehindTheirConstants) {
  Profile profile = published();
  profile.launch.call = nanoseconds(4'450);
  const std::string text = write_profile(
      profile, {{"launch.call", "fitted"}, {"algorithm.default.base.ll", "not determined"}});
  EXPECT_NE(text.find("\ncall = \"4.45 us\" # fitted\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nbase.ll = \"6.6 us\" # not determined\n"), std::string::npos) << text;
}

TEST(TomlText, QuantitiesAreExact) {
  EXPECT_EQ(toml_duration(picoseconds(4'449'001)), "\"4.449001 us\"");
  EXPECT_EQ(toml_duration(Duration{}), "\"0 us\"");
  // 59,200,000,001 bit/s / 8e9.
  EXPECT_EQ(toml_bandwidth(Bandwidth{59'200'000'001}), "\"7.400000000125 GB/s\"");
  EXPECT_EQ(toml_bytes(Bytes{3 << 20}), "\"3 MiB\"");
  EXPECT_EQ(toml_bytes(Bytes{1000}), "\"1000 B\"");
  EXPECT_EQ(toml_bytes(Bytes{0}), "\"0 B\"");
}

TEST(TomlText, TextIsEscaped) {
  EXPECT_EQ(toml_string("a \"b\" \\ \n"), "\"a \\\"b\\\" \\\\ \\u000a\"");
  EXPECT_EQ(toml_key("pcie5"), "pcie5");
  EXPECT_EQ(toml_key("a.b"), "\"a.b\"");
  const std::vector<std::string> texts = {"a", "b"};
  EXPECT_EQ(toml_strings(texts), "[\"a\", \"b\"]");
}

}  // namespace
}  // namespace ringspan
