#include "models/cost/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/links/link_preset.h"
#include "sim/base/input_error.h"
#include "topologies/data/catalogue.h"

namespace ringspan {
namespace {

constexpr std::string_view kSmall = R"(name = "mine"
description = "test"
nccl = "2.28.9"
compute_capability = 90
source = "test"

[[algorithm]]
name = "default"
source = "test"
base = { ll = "1 us", ll128 = "2 us", simple = "3 us" }
nvlink_step = { ll = "4 us", simple = "5 us" }
pcie_step = { simple = "6 us" }
network_step = { simple = "7 us" }
)";

Profile profile_of(const std::string& text) {
  ConfigDocument document = ConfigDocument::parse_text(text, "p.toml");
  return read_profile(document);
}

std::string refused(const std::string& text) {
  try {
    profile_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::string with(std::string_view text, std::string_view from, std::string_view to) {
  std::string changed(text);
  return changed.replace(changed.find(from), from.size(), to);
}

const Profile& named(const std::vector<Profile>& profiles, std::string_view name) {
  for (const Profile& profile : profiles) {
    if (profile.name == name) return profile;
  }
  throw std::out_of_range(std::string(name));
}

TEST(Profile, ReadsWhatIsThereAndLeavesTheRestWithoutEffect) {
  const Profile profile = profile_of(std::string(kSmall));
  EXPECT_EQ(profile.name, "mine");
  EXPECT_EQ(profile.least_compute_capability, 90);
  const AlgorithmCost& cost = profile.cost_of("ring");
  EXPECT_THAT(cost.base, testing::ElementsAre(microseconds(1), microseconds(2), microseconds(3)));
  // LL128 is not given: as Simple.
  EXPECT_THAT(cost.nvlink_step,
              testing::ElementsAre(microseconds(4), microseconds(5), microseconds(5)));
  EXPECT_THAT(cost.pcie_step,
              testing::ElementsAre(microseconds(6), microseconds(6), microseconds(6)));
  EXPECT_EQ(profile.share_of(LinkClass::NvLink, "nvlink4"), 1.0);
  EXPECT_EQ(profile.reference_wire[0], Duration{});
  EXPECT_FALSE(profile.ll_rate_per_gpu.has_value());
  EXPECT_EQ(profile.nvls_channels, 0);
}

TEST(Profile, PrefersTheShareOfALinkKindToThatOfItsClass) {
  const Profile profile = profile_of(std::string(kSmall) +
                                     "[link_share]\nsource = \"test\"\npcie = 0.5\n"
                                     "[link_share.preset]\npcie5 = 0.25\n");
  EXPECT_EQ(profile.share_of(LinkClass::Pcie, "pcie4"), 0.5);
  EXPECT_EQ(profile.share_of(LinkClass::Pcie, "pcie5"), 0.25);
  EXPECT_EQ(profile.share_of(LinkClass::Network, "ib-ndr"), 1.0);
}

TEST(Profile, RefusesWhatWouldHaveNoEffect) {
  EXPECT_EQ(refused(with(kSmall, "\"default\"", "\"rign\"")),
            "p.toml:8:8: error: 'name' in [[algorithm]] cannot be 'rign'\n"
            "hint: did you mean 'ring'?");
  EXPECT_EQ(refused(with(kSmall, "\"default\"", "\"ring\"")),
            "p.toml:7:1: error: no [[algorithm]] is named 'default'\n"
            "hint: add one: it serves the algorithms without a table of their own");
  EXPECT_EQ(refused(std::string(kSmall) + "[kernel_rates]\n"),
            "p.toml:14:2: error: unknown table 'kernel_rates'\nhint: did you mean 'kernel_rate'?");
  EXPECT_EQ(refused(with(kSmall, "{ ll = \"4 us\"", "{ l = \"4 us\"")),
            "p.toml:11:17: error: unknown key 'l' in [algorithm.nvlink_step]\n"
            "hint: did you mean 'll'?");
}

TEST(Profile, RefusesValuesThatCannotBe) {
  EXPECT_EQ(refused(with(kSmall, "simple = \"3 us\"", "simple = 3")),
            "p.toml:10:48: error: 'simple' in [algorithm.base] needs a unit, got the bare number 3"
            "\nhint: write \"3 us\"");
  EXPECT_EQ(refused(std::string(kSmall) + "[link_share]\nsource = \"t\"\nnvlink = 0\n"),
            "p.toml:16:10: error: 'nvlink' must be above zero\nhint: write a share of at most 1");
  EXPECT_EQ(refused(std::string(kSmall) + "[nvls]\nsource = \"t\"\nefficiency = 0.8\n"),
            "p.toml:14:1: error: missing key 'channels' in [nvls]\nhint: add channels = 1");
  EXPECT_EQ(refused(std::string(kSmall) + "[nvls]\nefficiency = 0.8\nchannels = 8\n"),
            "p.toml:14:1: error: missing key 'source' in [nvls]\nhint: add source = \"...\"");
}

TEST(BuiltinProfiles, ServeEveryGeneration) {
  const std::vector<Profile> profiles = builtin_profiles();
  const auto serving = [&](int capability, bool nvlink = true) {
    return profile_for(profiles, capability, nvlink).name;
  };
  EXPECT_EQ(serving(89, false), "pcie");   // RTX 4090, L40S
  EXPECT_EQ(serving(120, false), "pcie");  // RTX 5090
  EXPECT_EQ(serving(60, false), "nccl-generic");
  EXPECT_EQ(serving(0), "nccl-generic");   // other vendors
  EXPECT_EQ(serving(60), "nccl-generic");  // P100
  EXPECT_EQ(serving(70), "volta");         // V100
  EXPECT_EQ(serving(75), "volta");         // with a bridge
  EXPECT_EQ(serving(80), "ampere");        // A100
  EXPECT_EQ(serving(89), "ampere");        // A40
  EXPECT_EQ(serving(90), "hopper");        // H100
  EXPECT_EQ(serving(100), "blackwell");    // B200
  EXPECT_EQ(serving(120), "blackwell");    // none yet
}

// NCCL 2.28.9 src/graph/tuning.cc.
TEST(BuiltinProfiles, HaveNcclsLatencies) {
  for (const Profile& profile : builtin_profiles()) {
    if (!profile.name.starts_with("nccl-")) continue;
    const AlgorithmCost& ring = profile.cost_of("ring");
    EXPECT_THAT(ring.base,
                testing::ElementsAre(nanoseconds(6'600), microseconds(14), nanoseconds(8'400)));
    EXPECT_THAT(ring.nvlink_step,
                testing::ElementsAre(nanoseconds(600), nanoseconds(1'900), nanoseconds(3'400)));
    EXPECT_THAT(ring.pcie_step,
                testing::ElementsAre(nanoseconds(1'000), nanoseconds(2'500), nanoseconds(5'700)));
    const AlgorithmCost& tree = profile.cost_of("tree");
    EXPECT_THAT(tree.nvlink_step,
                testing::ElementsAre(nanoseconds(600), nanoseconds(1'250), nanoseconds(4'000)));
    EXPECT_THAT(tree.network_step,
                testing::ElementsAre(microseconds(5), nanoseconds(8'500), microseconds(14)));
    // Not in NCCL's tuner: as the ring.
    EXPECT_EQ(profile.cost_of("halving-doubling").nvlink_step, ring.nvlink_step);
    EXPECT_EQ(profile.cost_of("p2p").base, ring.base);
  }
}

TEST(BuiltinProfiles, HalveNcclsCapsPerSearchChannel) {
  const std::vector<Profile> profiles = builtin_profiles();
  const Profile& hopper = named(profiles, "nccl-hopper");
  // 36.7 and 38.7 GB/s per search channel; kernels run two channels for each.
  EXPECT_DOUBLE_EQ(to_gbytes_per_second(*hopper.ll128_ring_rate_per_channel), 18.35);
  EXPECT_DOUBLE_EQ(to_gbytes_per_second(*hopper.simple_tree_rate_per_channel), 19.35);
  EXPECT_DOUBLE_EQ(to_gbytes_per_second(*hopper.ll_rate_per_gpu), 141.0);
  const Profile& blackwell = named(profiles, "nccl-blackwell");
  EXPECT_DOUBLE_EQ(to_gbytes_per_second(*blackwell.ll128_tree_rate_per_channel), 27.8);
}

TEST(BuiltinProfiles, GiveNvlsToTheGenerationsThatHaveIt) {
  const std::vector<Profile> profiles = builtin_profiles();
  EXPECT_EQ(named(profiles, "nccl-ampere").nvls_channels, 0);
  const Profile& hopper = named(profiles, "nccl-hopper");
  EXPECT_EQ(hopper.nvls_channels, 16);
  EXPECT_EQ(hopper.nvls_efficiency, 0.85);
  // 25 us once, whatever the number of ranks.
  EXPECT_EQ(hopper.cost_of("nvls").base[2], microseconds(25));
  EXPECT_EQ(hopper.cost_of("nvls").nvlink_step[2], Duration{});
  EXPECT_EQ(hopper.nvls_channels_over_nodes, 16);
  EXPECT_EQ(named(profiles, "nccl-blackwell").nvls_channels, 24);
  EXPECT_EQ(named(profiles, "nccl-blackwell").nvls_channels_over_nodes, 32);
}

// A share times the link kind's payload rate is the rate NCCL plans with (NCCL 2.28.9
// src/graph/topo.h). 0.5 % is the rounding of three digits on both sides.
TEST(BuiltinProfiles, PlanWithNcclsRatesPerLink) {
  const EmbeddedFile& file = catalogue_links()[0];
  const ConfigDocument document = ConfigDocument::parse_text(file.text, "links.toml");
  const LinkPresets links = LinkPresets::from_config(document.root());
  const std::vector<Profile> profiles = builtin_profiles();
  const auto planned = [&](std::string_view profile, std::string_view preset) {
    const LinkPreset* link = links.find(preset);
    if (link == nullptr) throw std::out_of_range(std::string(preset));
    const Bandwidth payload = scaled(link->nominal * link->default_lanes, link->efficiency);
    return to_gbytes_per_second(payload) *
           named(profiles, profile).share_of(link->link_class, preset);
  };
  const auto expect_rate = [&](std::string_view profile, std::string_view preset, double rate) {
    EXPECT_NEAR(planned(profile, preset) / rate, 1.0, 0.005) << profile << " " << preset;
  };
  expect_rate("nccl-generic", "nvlink1", 18.0);
  expect_rate("nccl-volta", "nvlink2", 20.0);
  expect_rate("nccl-ampere", "nvlink3", 20.0);
  expect_rate("nccl-ampere", "nvlink-ga102", 12.0);
  expect_rate("nccl-hopper", "nvlink4", 20.6);
  expect_rate("nccl-blackwell", "nvlink5", 40.1);
  for (const Profile& profile : profiles) {
    if (profile.name.starts_with("nccl-")) {
      expect_rate(profile.name, "pcie3", 12.0);
      expect_rate(profile.name, "pcie4", 24.0);
      expect_rate(profile.name, "pcie5", 48.0);
      expect_rate(profile.name, "pcie6", 96.0);
    }
    for (const PresetShare& share : profile.preset_share) {
      EXPECT_NE(links.find(share.preset), nullptr) << share.preset;
    }
  }
}

}  // namespace
}  // namespace ringspan
