#include "topologies/data/catalogue.h"

#include <set>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(Catalogue, EveryFileIsNamedAfterTheSystemItDescribes) {
  std::set<std::string_view> names;
  for (const EmbeddedFile& file : catalogue_systems()) {
    EXPECT_TRUE(names.insert(file.name).second) << file.name << " is listed twice";
    const std::string first_line = "name = \"" + std::string(file.name) + "\"\n";
    EXPECT_EQ(file.text.substr(0, first_line.size()), first_line);
  }
}

// Public names: other people's scripts use them.
TEST(Catalogue, NamesAndTheirOrderStay) {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& file : catalogue_systems()) names.push_back(file.name);
  EXPECT_THAT(
      names,
      testing::ElementsAre(
          "dgx1-v100", "dgx2", "dgx-a100", "hgx-a100-4", "a100-4x-nv4", "hgx-a100-8-hdr4",
          "azure-nd-a100-v4", "aws-p4d", "aws-p4de", "dgx-h100", "dgx-h200", "azure-nd-h100-v5",
          "azure-nd-h200-v5", "h100-8x-roce", "h200-8x-roce", "b200-8x-roce", "aws-p5", "aws-p5en",
          "aws-p6-b200", "gcp-a3-high", "gcp-a3-mega", "h20-8x", "h800-8x", "dgx-b200", "dgx-b300",
          "gh200-slingshot", "v100-pcie-4x", "rtx-2080ti-2x", "rtx-4090-8x-p2p", "rtx-4090-8x-shm",
          "rtx-5090-8x-p2p", "rtx-5090-8x-shm", "rtx-pro-6000-8x", "rtx-6000d-8x", "l40s-pcie-8x",
          "l40s-tcp", "l4-2x", "h100-pcie-nvl-2x", "mi300x-8x", "gb200-nvl72", "gb300-nvl72",
          "superpod-h100", "superpod-b200", "superpod-b200-64su", "roce-24k-7to1", "hpn-dual-plane",
          "superpod-gb200", "rail-only-h100", "slingshot-dragonfly", "h100-16k", "h100-131k"));
}

TEST(Catalogue, LinkPresetsAreOneFile) {
  ASSERT_EQ(catalogue_links().size(), 1u);
  EXPECT_EQ(catalogue_links().front().name, "links");
  EXPECT_NE(catalogue_links().front().text.find("[[link]]"), std::string_view::npos);
}

}  // namespace
}  // namespace ringspan
