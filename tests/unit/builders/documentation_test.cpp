// docs/formats.md and the JSON Schema say what the reader does.

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/builders/system_fixture.h"

namespace ringspan {
namespace {

std::string document(const std::string& name) {
  std::ifstream file(std::string(RINGSPAN_DOCS) + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> toml_blocks(const std::string& text) {
  constexpr std::string_view kOpen = "```toml\n";
  std::vector<std::string> blocks;
  std::size_t at = 0;
  while ((at = text.find(kOpen, at)) != std::string::npos) {
    at += kOpen.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

TEST(Documentation, ExamplesOfSystemsAreRead) {
  const std::vector<std::string> blocks = toml_blocks(document("formats.md"));
  ASSERT_GE(blocks.size(), 3u);
  for (const std::string& block : blocks) EXPECT_EQ(refusal(block), "") << block;
}

TEST(Documentation, EveryKeyOfTheSchemaIsExplained) {
  const std::string text = document("formats.md");
  const nlohmann::json schema = nlohmann::json::parse(document("schema/system.schema.json"));
  for (const char* table : {"node", "gpu", "device", "link", "pod", "nvlink-domain", "transport",
                            "network", "fault", "clos"}) {
    for (const auto& item : schema["$defs"][table]["properties"].items()) {
      const std::string key = item.key();
      const bool explained = text.find("`" + key + "`") != std::string::npos ||
                             text.find("." + key + "]") != std::string::npos;
      EXPECT_TRUE(explained) << table << "." << key;
    }
  }
}

// An unknown key is answered with the keys of its table: the schema must know each of them.
TEST(Documentation, TheSchemaKnowsEveryKeyTheReaderAsksFor) {
  const nlohmann::json schema = nlohmann::json::parse(document("schema/system.schema.json"));
  const auto expect_known = [&](const std::string& message, const char* table) {
    const std::string kOneOf = "one of: ";
    const std::size_t at = message.find(kOneOf);
    ASSERT_NE(at, std::string::npos) << message;
    std::string keys = message.substr(at + kOneOf.size()) + ", ";
    for (std::size_t comma; (comma = keys.find(", ")) != std::string::npos;) {
      const std::string key = keys.substr(0, comma);
      EXPECT_TRUE(schema["$defs"][table]["properties"].contains(key)) << table << "." << key;
      keys.erase(0, comma + 2);
    }
  };
  expect_known(refusal(two_gpus("zzzzzz = 1\n")), "link");
  expect_known(refusal(two_gpus(), {{"node.device.0.zzzzzz", "1"}}), "device");
  expect_known(refusal(two_gpus(), {{"node.zzzzzz", "1"}}), "node");
  expect_known(refusal(two_gpus(), {{"transport.zzzzzz", "1"}}), "transport");
  expect_known(refusal(two_gpus("[[pod]]\ncount = 1\nuse = \"dgx-a100\"\nzzzzzz = 1\n")), "pod");
  expect_known(refusal(two_gpus("[[fault]]\ngpu = \"gpu0\"\nzzzzzz = 1\n")), "fault");
  expect_known(
      refusal(two_gpu_trays("servers = 2\nswitches = 2\nlink = \"nvlink5\"\nzzzzzz = 1\n")),
      "nvlink-domain");
  for (const char* kind :
       {"single-switch", "leaf-spine", "fat-tree", "rail-optimized", "rail-only"}) {
    expect_known(
        refusal("name = \"x\"\n[node]\ncount = 2\nuse = \"dgx-h100\"\n[fabric]\nkind = \"" +
                std::string(kind) + "\"\nlink = \"ib-ndr\"\nzzzzzz = 1\n"),
        "clos");
  }
}

}  // namespace
}  // namespace ringspan
