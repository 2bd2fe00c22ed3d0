#include "models/links/link_preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/input_error.h"
#include "sim/config/config_node.h"

namespace ringspan {
namespace {

constexpr std::string_view kPcie6 = R"([[link]]
name = "pcie6"
description = "PCI Express 6.0"
class = "pcie"
raw = "64 GT/s"
coding = "236/256"
efficiency = 0.89
latency = "110 ns"
source = "test"
)";

constexpr std::string_view kNvlink4 = R"([[link]]
name = "nvlink4"
description = "NVLink 4"
class = "nvlink"
raw = "26.5625 GB/s"
coding = "16/17"
efficiency = 0.872
latency = "325 ns"
source = "test"
)";

LinkPresets presets_of(const std::string& text) {
  const ConfigDocument document = ConfigDocument::parse_text(text, "links.toml");
  LinkPresets presets = LinkPresets::from_config(document.root());
  document.finish();
  return presets;
}

std::string refused(const std::string& text) {
  try {
    presets_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

// The text with `from` replaced by `to`, once.
std::string with(std::string_view text, std::string_view from, std::string_view to) {
  std::string changed(text);
  return changed.replace(changed.find(from), from.size(), to);
}

TEST(LinkPresets, KeepFourRatesPerDirection) {
  const LinkPresets presets = presets_of(std::string(kPcie6));
  const LinkPreset* pcie6 = presets.find("pcie6");
  ASSERT_NE(pcie6, nullptr);
  EXPECT_EQ(pcie6->default_lanes, 16);
  // 64 GT/s x 16 lanes = 128 GB/s raw; x 236/256 = 118 GB/s.
  EXPECT_DOUBLE_EQ(to_gbytes_per_second(pcie6->raw * 16), 128.0);
  EXPECT_DOUBLE_EQ(to_gbytes_per_second(pcie6->nominal * 16), 118.0);
  EXPECT_EQ(pcie6->efficiency, 0.89);
  EXPECT_EQ(pcie6->latency, nanoseconds(110));
}

TEST(LinkPresets, ApplyTheCodingExactly) {
  const LinkPresets presets = presets_of(std::string(kNvlink4));
  EXPECT_EQ(presets.all()[0].nominal.bits_per_second, 200'000'000'000);
  EXPECT_EQ(presets.all()[0].default_lanes, 1);
  // Without coding nothing is lost.
  const LinkPresets plain = presets_of(with(kNvlink4, "coding = \"16/17\"\n", ""));
  EXPECT_EQ(plain.all()[0].nominal, plain.all()[0].raw);
}

TEST(LinkPresets, KeepTheOrderOfTheFile) {
  const LinkPresets presets = presets_of(std::string(kPcie6) + std::string(kNvlink4));
  EXPECT_THAT(presets.names(), testing::ElementsAre("pcie6", "nvlink4"));
  EXPECT_EQ(presets.find("nvlink9"), nullptr);
}

TEST(LinkPresets, RefuseWhatCannotBe) {
  EXPECT_EQ(refused(with(kPcie6, "64 GT/s", "128 GB/s")),
            "links.toml:5:7: error: 'raw' in [[link]]: '128 GB/s' has the unknown unit 'GB/s'\n"
            "hint: did you mean 'GT/s'?");
  EXPECT_EQ(refused(with(kPcie6, "236/256", "256/236")),
            "links.toml:6:10: error: '256/236' is not a share of at most 1\n"
            "hint: write two whole numbers, for example \"128/130\"");
  EXPECT_EQ(refused(with(kPcie6, "236/256", "0/256")),
            "links.toml:6:10: error: '0/256' is not a share of at most 1\n"
            "hint: write two whole numbers, for example \"128/130\"");
  EXPECT_EQ(refused(with(kPcie6, "0.89", "1.2")),
            "links.toml:7:14: error: 'efficiency' in [[link]] is out of range: 1.2\n"
            "hint: allowed: 0 to 1");
  EXPECT_EQ(refused(with(kPcie6, "0.89", "0")),
            "links.toml:7:14: error: 'efficiency' must be above zero\n"
            "hint: write a share of at most 1");
  EXPECT_EQ(refused(with(kPcie6, "\"pcie\"", "\"pci\"")),
            "links.toml:4:9: error: 'class' in [[link]] cannot be 'pci'\n"
            "hint: did you mean 'pcie'?");
  EXPECT_EQ(refused(with(kNvlink4, "latency", "lanes = 4\nlatency")),
            "links.toml:8:9: error: 'lanes' in [[link]] is out of range: 4\n"
            "hint: allowed: 1");
  EXPECT_EQ(refused(std::string(kNvlink4) + std::string(kNvlink4)),
            "links.toml:11:8: error: a second link kind is named 'nvlink4'\n"
            "hint: give each [[link]] a name of its own");
}

}  // namespace
}  // namespace ringspan
