#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/config/config_node.h"
#include "tests/unit/config/refusal.h"

namespace ringspan {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refused_text(std::string_view text) {
  return refusal([&] { ConfigDocument::parse_text(text, "f.toml"); });
}

TEST(ConfigDocument, PlacesSyntaxErrors) {
  EXPECT_EQ(refused_text("a = 1\nrate = 50 GB/s\n"),
            "f.toml:2:11: error: Error while parsing key-value pair: expected a comment or "
            "whitespace, saw 'G'\n"
            "hint: text and quantities stand in quotes, for example rate = \"50 GB/s\"");
  EXPECT_EQ(refused_text("[node\n"),
            "f.toml:1:6: error: Error while parsing table header: expected ']', saw '\\n'\n"
            "hint: the file must be TOML: key = value lines under [table] headers");
  EXPECT_THAT(refused_text("a =\n"), HasSubstr("hint: write a value after '='"));
}

TEST(ConfigDocument, SurvivesTextsThatTripTheParsersAsserts) {
  EXPECT_THAT(refused_text("[[[["), StartsWith("f.toml:1:3: error: "));
  EXPECT_THAT(refused_text(std::string(10'000, '[')), StartsWith("f.toml:1:"));
}

TEST(ConfigDocument, RefusesTextThatIsNotUtf8) {
  EXPECT_EQ(refused_text("a = \"\xff\xfe\"\n"),
            "f.toml:1:5: error: Encountered invalid utf-8 sequence\n"
            "hint: the file must be text in UTF-8: save it as such");
  // UTF-16 without its mark: valid UTF-8, with a zero behind every letter.
  EXPECT_THAT(refused_text(std::string("a\0=\0001\0", 6)), HasSubstr("must be text in UTF-8"));
}

TEST(ConfigDocument, RefusesNestingWithoutEnd) {
  EXPECT_EQ(refused_text("a = " + std::string(100'000, '[')),
            "f.toml:1:37: error: more than 32 nested brackets\n"
            "hint: describe repeated parts with counts instead of one by one");
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += i % 2 == 0 ? ".b" : ".\"=\"";
  EXPECT_THAT(refused_text(key + " = 1\n"), HasSubstr("error: a key of more than 16 parts\n"));
  EXPECT_THAT(refused_text("[" + key + "]\n"), HasSubstr("error: a key of more than 16 parts\n"));
}

TEST(ConfigDocument, RefusesMillionsOfValues) {
  std::string text = "a = [";
  for (int i = 0; i < 1'000'001; ++i) text += "1,";
  EXPECT_THAT(refused_text(text + "]\n"), HasSubstr("error: more than 1000000 values\n"));
}

TEST(ConfigDocument, LeavesDotsAndBracketsInStringsAndCommentsAlone) {
  const std::string dots = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t";
  const std::string brackets(50, '[');
  EXPECT_EQ(refused_text("# " + dots + brackets + "\nx = \"" + dots + brackets + "\"\ny = '" +
                         brackets + "'\nz = \"\"\"\n" + brackets + "\\\"\"\"" + dots + "\"\"\"\n"),
            "");
}

TEST(ConfigDocument, RefusesFilesThatCannotBeRead) {
  EXPECT_EQ(refusal([] { ConfigDocument::parse_file("no/such.toml"); }),
            "no/such.toml: error: no such file\n"
            "hint: check the path and the spelling of the name");
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir());
  EXPECT_EQ(refusal([&] { ConfigDocument::parse_file(folder); }),
            folder.string() + ": error: is a directory, not a file\nhint: name a file in it");
  EXPECT_EQ(refusal([] { ConfigDocument::parse_file("/dev/zero"); }),
            "/dev/zero: error: is larger than 64 MiB\n"
            "hint: describe repeated parts with counts instead of one by one");
}

TEST(ConfigDocument, NamesTheFileAsTheUserDid) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "ringspan_config_document_test.toml";
  std::ofstream(file) << "a = 1\n";
  const ConfigDocument document = ConfigDocument::parse_file(file);
  EXPECT_EQ(document.root().integer("a", 0, 9), 1);
  EXPECT_EQ(document.root().position_of("a").file, file.string());
  std::filesystem::remove(file);
}

TEST(ConfigDocument, ReportsEveryUnreadKeyInFileOrder) {
  const ConfigDocument document = ConfigDocument::parse_text(
      "name = \"x\"\nzeta = 1\n[node]\ncuont = 2\n[[node.link]]\nfrom = \"a\"\nlanez = 4\n"
      "[[node.link]]\n[fabrik]\nkind = 1\n[node.extra]\n",
      "f.toml");
  const ConfigNode root = document.root();
  root.text("name");
  root.find_child("fabric");
  const ConfigNode node = root.child("node");
  node.integer_or("count", 1, 1, 9);
  for (const ConfigNode& link : node.children("link")) {
    link.text_or("from", "");
    link.integer_or("lanes", 1, 1, 9);
  }
  EXPECT_EQ(refusal([&] { document.finish(); }),
            "f.toml:2:1: error: unknown key 'zeta'\nhint: one of: name, fabric, node\n"
            "f.toml:4:1: error: unknown key 'cuont' in [node]\nhint: did you mean 'count'?\n"
            "f.toml:7:1: error: unknown key 'lanez' in [[node.link]]\n"
            "hint: did you mean 'lanes'?\n"
            "f.toml:9:2: error: unknown table 'fabrik'\nhint: did you mean 'fabric'?\n"
            "f.toml:11:7: error: unknown table 'extra' in [node]\nhint: one of: count, link");
}

TEST(ConfigDocument, LookingForAKeyDoesNotReadIt) {
  const ConfigDocument document = ConfigDocument::parse_text("a = 1\n", "f.toml");
  EXPECT_TRUE(document.root().has("a"));
  EXPECT_EQ(refusal([&] { document.finish(); }),
            "f.toml:1:1: error: unknown key 'a'\nhint: remove it: nothing is read here");
}

TEST(ConfigDocument, ReportsKeysOfATableThatWasOnlyOpened) {
  const ConfigDocument document = ConfigDocument::parse_text("[a]\nb = 1\n", "f.toml");
  document.root().child("a");
  EXPECT_EQ(refusal([&] { document.finish(); }),
            "f.toml:2:1: error: unknown key 'b' in [a]\nhint: remove it: nothing is read here");
}

ConfigDocument small_system() {
  return ConfigDocument::parse_text(
      "name = \"x\"\n[node]\ncount = 1\n[[node.link]]\ncount = 4\n[[node.link]]\ncount = 5\n",
      "f.toml");
}

TEST(ConfigDocumentSet, OverridesValuesInTablesAndLists) {
  ConfigDocument document = small_system();
  document.set("name", "my box");
  document.set("node.link.1.count", "9");
  document.set("node.peer_to_peer", "off");
  document.set("node.shares", "[1, 2.5]");
  document.set("node.ratio", "4:1");
  const ConfigNode node = document.root().child("node");
  EXPECT_EQ(document.root().text("name"), "my box");
  EXPECT_EQ(node.children("link")[0].integer("count", 1, 9), 4);
  EXPECT_EQ(node.children("link")[1].integer("count", 1, 9), 9);
  EXPECT_EQ(node.text("peer_to_peer"), "off");
  EXPECT_THAT(node.numbers("shares"), testing::ElementsAre(1.0, 2.5));
  EXPECT_EQ(node.text("ratio"), "4:1");
}

TEST(ConfigDocumentSet, TakesWhatIsNotOneTomlValueAsText) {
  ConfigDocument document = small_system();
  document.set("node.a", "1\nb = 2");
  document.set("node.c", "12:30:00");
  document.set("node.d", "");
  document.set("node.e", "50 GB/s");
  const ConfigNode node = document.root().child("node");
  EXPECT_EQ(node.text("a"), "1\nb = 2");
  EXPECT_EQ(node.text("c"), "12:30:00");
  EXPECT_EQ(node.text("d"), "");
  EXPECT_EQ(node.bandwidth("e").bits_per_second, 400'000'000'000);
}

TEST(ConfigDocumentSet, ErrorsNameTheOption) {
  ConfigDocument document = small_system();
  document.set("node.count", "many");
  EXPECT_EQ(refusal([&] { document.root().child("node").integer("count", 1, 9); }),
            "--set node.count: error: 'count' in [node] must be a whole number, got text\n"
            "hint: write count = 1");
}

TEST(ConfigDocumentSet, RefusesPathsThatLeadNowhere) {
  ConfigDocument document = small_system();
  const auto set = [&](std::string_view key) { return refusal([&] { document.set(key, "1"); }); };
  EXPECT_EQ(set("nod.count"),
            "--set nod.count: error: there is no 'nod'\nhint: did you mean 'node'?");
  EXPECT_EQ(set("node.link.2.count"),
            "--set node.link.2.count: error: '2' is not the number of an entry\n"
            "hint: entries are counted from 0 to 1");
  EXPECT_EQ(set("node.link.count"),
            "--set node.link.count: error: 'count' is not the number of an entry\n"
            "hint: entries are counted from 0 to 1");
  EXPECT_EQ(set("name.x"),
            "--set name.x: error: 'name' is a value, it has no keys\nhint: name a key of a table");
  EXPECT_EQ(set("name.x.y"),
            "--set name.x.y: error: 'name' is a value, it has no keys\n"
            "hint: name a key of a table");
  EXPECT_EQ(set("node"), "--set node: error: is a table, not a value\nhint: set one of its keys");
  EXPECT_EQ(set("node..count"),
            "--set node..count: error: has an empty part\n"
            "hint: write it as table.key, for example node.link.0.count");
  EXPECT_EQ(set(""),
            "--set : error: has an empty part\n"
            "hint: write it as table.key, for example node.link.0.count");
}

TEST(ConfigDocumentSet, ReportsAnUnknownOverrideAfterTheFile) {
  ConfigDocument document = small_system();
  document.set("node.cuont", "9");
  const ConfigNode node = document.root().child("node");
  node.integer("count", 1, 9);
  for (const ConfigNode& link : node.children("link")) link.integer("count", 1, 9);
  EXPECT_EQ(refusal([&] { document.finish(); }),
            "f.toml:1:1: error: unknown key 'name'\nhint: one of: node\n"
            "--set node.cuont: error: unknown key 'cuont' in [node]\nhint: did you mean 'count'?");
}

}  // namespace
}  // namespace ringspan
