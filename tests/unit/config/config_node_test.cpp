#include "sim/config/config_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/config/refusal.h"

namespace ringspan {
namespace {

using testing::ElementsAre;

// The refusal of reading something from the root of `text`, which is called "f.toml".
template <typename Read>
std::string refused(std::string_view text, Read read) {
  return refusal([&] {
    const ConfigDocument document = ConfigDocument::parse_text(text, "f.toml");
    read(document.root());
  });
}

TEST(ConfigNode, ReadsEveryType) {
  const ConfigDocument document = ConfigDocument::parse_text(
      "name = \"box\"\ncount = 4\nratio = 0.5\nwhole_ratio = 1\nmulticast = true\n"
      "rate = \"50 GB/s\"\ntotal = \"900 GB/s bidir\"\nspeed = \"32 GT/s\"\n"
      "latency = \"1.2 us\"\nmemory = \"80 GiB\"\nbuffer = 4096\n"
      "sources = [\"a\", \"b\"]\nfactors = [1, 0.5]\nsteps = [\"1 us\", \"2 ns\"]\n",
      "f.toml");
  const ConfigNode root = document.root();
  EXPECT_EQ(root.text("name"), "box");
  EXPECT_EQ(root.integer("count", 1, 64), 4);
  EXPECT_EQ(root.number("ratio", 0, 1), 0.5);
  EXPECT_EQ(root.number("whole_ratio", 0, 1), 1.0);
  EXPECT_TRUE(root.boolean("multicast"));
  EXPECT_EQ(root.bandwidth("rate").bits_per_second, 400'000'000'000);
  EXPECT_EQ(root.parsed_bandwidth("total").per_direction.bits_per_second, 3'600'000'000'000);
  EXPECT_TRUE(root.parsed_bandwidth("total").bidirectional);
  EXPECT_EQ(root.transfers("speed"), 32'000'000'000);
  EXPECT_EQ(root.duration("latency"), nanoseconds(1'200));
  EXPECT_EQ(root.bytes("memory").count, std::int64_t{80} << 30);
  EXPECT_EQ(root.bytes("buffer").count, 4'096);
  EXPECT_THAT(root.texts("sources"), ElementsAre("a", "b"));
  EXPECT_THAT(root.numbers("factors"), ElementsAre(1.0, 0.5));
  EXPECT_THAT(root.durations("steps"), ElementsAre(microseconds(1), nanoseconds(2)));
  EXPECT_NO_THROW(document.finish());
}

TEST(ConfigNode, UsesDefaultsWhenAKeyIsAbsent) {
  const ConfigDocument document = ConfigDocument::parse_text("count = 4\n", "f.toml");
  const ConfigNode root = document.root();
  EXPECT_EQ(root.integer_or("count", 1, 0, 9), 4);
  EXPECT_EQ(root.integer_or("lanes", 16, 0, 99), 16);
  EXPECT_EQ(root.number_or("ratio", 0.25, 0, 1), 0.25);
  EXPECT_EQ(root.text_or("name", "none"), "none");
  EXPECT_TRUE(root.boolean_or("multicast", true));
}

TEST(ConfigNode, WalksTablesWithTheirPositions) {
  const ConfigDocument document = ConfigDocument::parse_text(
      "[node]\ncount = 1\n[[node.link]]\nb = 2\na = 1\n[[node.link]]\n", "f.toml");
  const ConfigNode node = document.root().child("node");
  EXPECT_EQ(node.position().line, 1);
  const std::vector<ConfigNode> links = node.children("link");
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(links[1].position().line, 6);
  EXPECT_THAT(links[0].keys(), ElementsAre("b", "a"));
  EXPECT_EQ(links[0].position_of("a").line, 5);
  EXPECT_EQ(links[0].position_of("a").column, 5);
  EXPECT_TRUE(document.root().children("pod").empty());
  EXPECT_FALSE(document.root().find_child("fabric").has_value());
}

TEST(ConfigNode, RefusesABareNumberForAQuantity) {
  EXPECT_EQ(refused("[link]\nrate = 50\n",
                    [](const ConfigNode& root) { root.child("link").bandwidth("rate"); }),
            "f.toml:2:8: error: 'rate' in [link] needs a unit, got the bare number 50\n"
            "hint: write \"50 GB/s\"");
  EXPECT_EQ(refused("t = 1.5\n", [](const ConfigNode& root) { root.duration("t"); }),
            "f.toml:1:5: error: 't' needs a unit, got the bare number 1.5\n"
            "hint: write \"1.5 us\"");
  EXPECT_EQ(refused("t = [\"1 us\", 2]\n", [](const ConfigNode& root) { root.durations("t"); }),
            "f.toml:1:14: error: 't' needs a unit, got the bare number 2\nhint: write \"2 us\"");
  // No unit would make a quantity of these.
  EXPECT_EQ(refused("t = nan\n", [](const ConfigNode& root) { root.duration("t"); }),
            "f.toml:1:5: error: 't' needs a unit, got the bare number nan\nhint: write \"50 us\"");
  EXPECT_EQ(refused("t = -3\n", [](const ConfigNode& root) { root.duration("t"); }),
            "f.toml:1:5: error: 't' needs a unit, got the bare number -3\nhint: write \"50 us\"");
}

TEST(ConfigNode, PlacesTheRefusalOfAQuantity) {
  EXPECT_EQ(refused("[[link]]\nrate = \"50 GBs\"\n",
                    [](const ConfigNode& root) { root.children("link")[0].bandwidth("rate"); }),
            "f.toml:2:8: error: 'rate' in [[link]]: '50 GBs' has the unknown unit 'GBs'\n"
            "hint: did you mean 'GB/s'?");
  EXPECT_EQ(refused("rate = \"0 GB/s\"\n", [](const ConfigNode& root) { root.bandwidth("rate"); }),
            "f.toml:1:8: error: 'rate' must be above zero\n"
            "hint: remove the link instead of giving it no rate");
  EXPECT_EQ(refused("memory = -1\n", [](const ConfigNode& root) { root.bytes("memory"); }),
            "f.toml:1:10: error: 'memory' must not be negative\nhint: write a size from 0");
}

TEST(ConfigNode, RefusesTheWrongType) {
  EXPECT_EQ(refused("count = \"4\"\n", [](const ConfigNode& root) { root.integer("count", 1, 9); }),
            "f.toml:1:9: error: 'count' must be a whole number, got text\nhint: write count = 4");
  EXPECT_EQ(refused("count = 2.5\n", [](const ConfigNode& root) { root.integer("count", 1, 9); }),
            "f.toml:1:9: error: 'count' must be a whole number, got a number\n"
            "hint: write count = 1");
  EXPECT_EQ(refused("name = 4\n", [](const ConfigNode& root) { root.text("name"); }),
            "f.toml:1:8: error: 'name' must be text in quotes, got a whole number\n"
            "hint: write name = \"...\"");
  EXPECT_EQ(refused("names = [\"a\", 1]\n", [](const ConfigNode& root) { root.texts("names"); }),
            "f.toml:1:15: error: 'names' must be a list of texts, got a whole number\n"
            "hint: write names = [\"...\", \"...\"]");
  EXPECT_EQ(refused("rate = [1]\n", [](const ConfigNode& root) { root.bandwidth("rate"); }),
            "f.toml:1:8: error: 'rate' must be a quantity with its unit, got a list\n"
            "hint: write rate = \"50 GB/s\"");
  EXPECT_EQ(refused("node = 4\n", [](const ConfigNode& root) { root.child("node"); }),
            "f.toml:1:8: error: 'node' must be a table, got a whole number\n"
            "hint: write it once, as [node]");
  EXPECT_EQ(refused("[node]\nlink = 4\n",
                    [](const ConfigNode& root) { root.child("node").children("link"); }),
            "f.toml:2:8: error: 'link' in [node] must be a list of tables, got a whole number\n"
            "hint: write each one as [[node.link]]");
}

TEST(ConfigNode, RefusesNumbersOutOfRange) {
  EXPECT_EQ(refused("count = 65\n", [](const ConfigNode& root) { root.integer("count", 1, 64); }),
            "f.toml:1:9: error: 'count' is out of range: 65\nhint: allowed: 1 to 64");
  EXPECT_EQ(refused("count = 0\n",
                    [](const ConfigNode& root) {
                      root.integer("count", 1, std::numeric_limits<std::int64_t>::max());
                    }),
            "f.toml:1:9: error: 'count' is out of range: 0\nhint: allowed: at least 1");
  EXPECT_EQ(refused("x = 1.5\n", [](const ConfigNode& root) { root.number("x", 0, 1); }),
            "f.toml:1:5: error: 'x' is out of range: 1.5\nhint: allowed: 0 to 1");
  EXPECT_EQ(refused("x = nan\n", [](const ConfigNode& root) { root.number("x", 0, 1); }),
            "f.toml:1:5: error: 'x' must be a finite number, got nan\nhint: write x = 0.5");
  EXPECT_EQ(refused("x = [inf]\n", [](const ConfigNode& root) { root.numbers("x"); }),
            "f.toml:1:6: error: 'x' must be a finite number, got inf\nhint: write x = 0.5");
}

TEST(ConfigNode, NamesTheTableOfAMissingKey) {
  EXPECT_EQ(
      refused("[node]\n[[node.link]]\nto = \"b\"\n",
              [](const ConfigNode& root) { root.child("node").children("link")[0].text("from"); }),
      "f.toml:2:1: error: missing key 'from' in [[node.link]]\nhint: add from = \"...\"");
  EXPECT_EQ(refused("", [](const ConfigNode& root) { root.bandwidth("rate"); }),
            "f.toml:1:1: error: missing key 'rate'\nhint: add rate = \"50 GB/s\"");
  EXPECT_EQ(refused("", [](const ConfigNode& root) { root.child("node"); }),
            "f.toml:1:1: error: missing key 'node'\nhint: add node = { ... } or a table [node]");
}

TEST(ConfigNode, PointsToTheMisspeltKeyWhenTheRightOneIsMissing) {
  EXPECT_EQ(refused("[link]\nrat = \"5 GB/s\"\n",
                    [](const ConfigNode& root) { root.child("link").bandwidth("rate"); }),
            "f.toml:2:1: error: unknown key 'rat', and 'rate' in [link] is missing\n"
            "hint: did you mean 'rate'?");
}

TEST(ConfigNode, SuggestsTheNearestChoice) {
  EXPECT_EQ(refused("kind = \"gpuu\"\n",
                    [](const ConfigNode& root) {
                      root.choice("kind", {"gpu", "cpu"});
                    }),
            "f.toml:1:8: error: 'kind' cannot be 'gpuu'\nhint: did you mean 'gpu'?");
  EXPECT_EQ(refused("kind = \"toaster\"\n",
                    [](const ConfigNode& root) {
                      root.choice("kind", {"gpu", "cpu"});
                    }),
            "f.toml:1:8: error: 'kind' cannot be 'toaster'\nhint: one of: gpu, cpu");
}

TEST(ConfigNode, FailsWhereTheKeyStands) {
  EXPECT_EQ(refused("a = 1\nb = 2\n",
                    [](const ConfigNode& root) { root.fail("b", "b clashes with a", "drop one"); }),
            "f.toml:2:5: error: b clashes with a\nhint: drop one");
}

}  // namespace
}  // namespace ringspan
