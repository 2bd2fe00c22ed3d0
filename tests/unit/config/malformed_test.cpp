// Whatever stands in a file or an option: an InputError or a value, never anything else.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/input_error.h"
#include "sim/base/quantity.h"
#include "sim/config/config_node.h"

namespace ringspan {
namespace {

using std::string_view_literals::operator""sv;

const std::vector<std::string_view>& malformed_files() {
  static const std::vector<std::string_view> kTexts = {"["sv,
                                                       "[["sv,
                                                       "[[["sv,
                                                       "[[[["sv,
                                                       "[]"sv,
                                                       "[[]]"sv,
                                                       "[a"sv,
                                                       "[a]]"sv,
                                                       "[[a]"sv,
                                                       "[a.]"sv,
                                                       "[.a]"sv,
                                                       "[a..b]"sv,
                                                       "[a] b = 1"sv,
                                                       "[a]\n[a]"sv,
                                                       "[[a]]\n[a]"sv,
                                                       "a = 1\n[a]"sv,
                                                       "a = 1\n[[a]]"sv,
                                                       "a"sv,
                                                       "a ="sv,
                                                       "= 1"sv,
                                                       "a = 1 b = 2"sv,
                                                       "a = 1\na = 2"sv,
                                                       "a.b = 1\na = 2"sv,
                                                       "a = 1\na.b = 2"sv,
                                                       "a = {b = 1\n}"sv,
                                                       "a = {b = 1,}"sv,
                                                       "a = {"sv,
                                                       "a = {b}"sv,
                                                       "a = {b = 1}\n[a]"sv,
                                                       "a = {b = 1}\na.c = 2"sv,
                                                       "a = ["sv,
                                                       "a = [1 2]"sv,
                                                       "a = [1,,2]"sv,
                                                       "a = [,]"sv,
                                                       "a = ]"sv,
                                                       "a = \""sv,
                                                       "a = \"\"\""sv,
                                                       "a = '"sv,
                                                       "a = '''"sv,
                                                       "a = \"\n\""sv,
                                                       "a = \"\\q\""sv,
                                                       "a = \"\\u12\""sv,
                                                       "a = \"\\ud800\""sv,
                                                       "a = \"\\U00110000\""sv,
                                                       "a = \"\x01\""sv,
                                                       "a = \"\xff\""sv,
                                                       "\xc3\x28 = 1"sv,
                                                       "\xed\xa0\x80"sv,
                                                       "a = \xf0\x9f"sv,
                                                       "\0"sv,
                                                       "a = 1\0"sv,
                                                       "a = 01"sv,
                                                       "a = 1__0"sv,
                                                       "a = _1"sv,
                                                       "a = 0x"sv,
                                                       "a = 0b2"sv,
                                                       "a = 1."sv,
                                                       "a = .5"sv,
                                                       "a = 1e"sv,
                                                       "a = +-1"sv,
                                                       "a = 99999999999999999999"sv,
                                                       "a = -99999999999999999999"sv,
                                                       "a = 0xffffffffffffffffff"sv,
                                                       "a = True"sv,
                                                       "a = tru"sv,
                                                       "a = nano"sv,
                                                       "a = 50 GB/s"sv,
                                                       "a = 2020-13-01"sv,
                                                       "a = 25:00:00"sv,
                                                       "a = 1979-05-27T"sv,
                                                       "'''a''' = 1"sv,
                                                       "\"a = 1"sv,
                                                       "a b = 1"sv,
                                                       "a = 1\r b = 2"sv,
                                                       "a = \\"sv,
                                                       "@ = 1"sv,
                                                       "a = @"sv,
                                                       "<<<<<<< HEAD"sv,
                                                       "{\"a\": 1}"sv,
                                                       "<a>1</a>"sv,
                                                       "a: 1"sv,
                                                       "\x1f\x8b\x08\x00"sv,
                                                       "\xff\xfe[\0a\0]\0"sv};
  return kTexts;
}

TEST(MalformedFile, IsRefusedWithAPositionAndAHint) {
  for (const std::string_view text : malformed_files()) {
    SCOPED_TRACE(std::string(text));
    try {
      ConfigDocument::parse_text(text, "f.toml");
      ADD_FAILURE() << "was read";
    } catch (const InputError& error) {
      ASSERT_EQ(error.problems().size(), 1U);
      EXPECT_EQ(error.problems()[0].where.file, "f.toml");
      EXPECT_GE(error.problems()[0].where.line, 1);
      EXPECT_FALSE(error.problems()[0].message.empty());
      EXPECT_FALSE(error.problems()[0].hint.empty());
    }
  }
}

// Numbers from a fixed generator: Knuth's MMIX constants.
class Random {
 public:
  std::uint64_t below(std::uint64_t limit) {
    state_ = state_ * 6'364'136'223'846'793'005U + 1'442'695'040'888'963'407U;
    return (state_ >> 33U) % limit;
  }

 private:
  std::uint64_t state_ = 1;
};

constexpr std::string_view kSystem = R"(name = "box"
sources = ["a", 'b', """c
d"""]
[node]
count = 4
ratio = 0.5
[[node.link]]
from = "gpu[0-3]"
rate = "900 GB/s bidir"
latency = "1.2 us" # a comment
x = {a.b = 1, c = [1, {d = 2}]}
[fabric.deep.table]
when = 1979-05-27T07:32:00Z
)";

// Reads every key of every table with every getter.
void read_everything(const ConfigNode& node) {
  const auto attempt = [](auto read) {
    try {
      read();
    } catch (const InputError&) {  // a refusal is an answer
    }
  };
  for (const std::string& key : node.keys()) {
    attempt([&] { node.text(key); });
    attempt([&] { node.integer(key, 0, 9); });
    attempt([&] { node.number(key, 0, 9); });
    attempt([&] { node.boolean(key); });
    attempt([&] { node.bandwidth(key); });
    attempt([&] { node.duration(key); });
    attempt([&] { node.bytes(key); });
    attempt([&] { node.texts(key); });
    attempt([&] { node.numbers(key); });
    attempt([&] { node.durations(key); });
    attempt([&] { read_everything(node.child(key)); });
    attempt([&] {
      for (const ConfigNode& child : node.children(key)) read_everything(child);
    });
  }
}

TEST(MalformedFile, IsReadOrRefusedWhateverIsChangedInIt) {
  Random random;
  constexpr std::string_view kBytes = "[]{}=.,\"'#\n\\ \0\xff\xc3-+e0x_:T"sv;
  int refused = 0;
  for (int round = 0; round < 1'500; ++round) {
    std::string text(kSystem);
    for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) {
      if (text.empty()) break;
      const std::size_t at = random.below(text.size());
      switch (random.below(4)) {
        case 0:
          text[at] = kBytes[random.below(kBytes.size())];
          break;
        case 1:
          text.insert(at, 1, kBytes[random.below(kBytes.size())]);
          break;
        case 2:
          text.erase(at, 1 + random.below(5));
          break;
        default:
          text.resize(at + 1);
          break;
      }
    }
    try {
      const ConfigDocument document = ConfigDocument::parse_text(text, "f.toml");
      read_everything(document.root());
      document.finish();
    } catch (const InputError&) {
      ++refused;
    }
  }
  // Neither always nor never: the changes reach the parser and the getters.
  EXPECT_GT(refused, 500);
  EXPECT_LT(refused, 1'500);
}

TEST(MalformedOverride, IsRefusedOrTakenAsText) {
  for (const std::string_view text : malformed_files()) {
    SCOPED_TRACE(std::string(text));
    ConfigDocument document = ConfigDocument::parse_text(kSystem, "f.toml");
    document.set("node.value", text);
    EXPECT_TRUE(document.root().child("node").has("value"));
    EXPECT_THROW(document.set(std::string(text) + ".x", "1"), InputError);
  }
}

TEST(MalformedQuantity, IsRefusedByEveryParser) {
  for (const std::string_view text : {""sv,
                                      " "sv,
                                      "."sv,
                                      "-"sv,
                                      "+"sv,
                                      "e5 GB/s"sv,
                                      "GB/s"sv,
                                      "nan"sv,
                                      "NaN GB/s"sv,
                                      "inf us"sv,
                                      "-inf B"sv,
                                      "infinity"sv,
                                      "-1 GB/s"sv,
                                      "-0.5 us"sv,
                                      "-1K"sv,
                                      "1..2 us"sv,
                                      "1.2.3 GB/s"sv,
                                      "1,000 GB/s"sv,
                                      "1_000 us"sv,
                                      "0x10 B"sv,
                                      "1e GB/s"sv,
                                      "1e+ us"sv,
                                      "1 GB/s/s"sv,
                                      "1 GB/s bidir bidir"sv,
                                      "bidir"sv,
                                      "1 bidir"sv,
                                      "1 us bidir"sv,
                                      "1K bidir"sv,
                                      "1 GB /s"sv,
                                      "1 G B/s"sv,
                                      "1 u s"sv,
                                      "1 \xc2\xb5s"sv,
                                      "1 GB/s\0"sv,
                                      "\0"sv,
                                      "1\n"sv,
                                      "1 us\n"sv,
                                      "1 GB/s;"sv,
                                      "1e400 GB/s"sv,
                                      "1e99 s"sv,
                                      "1e30T"sv,
                                      "1e-400 us"sv,
                                      "0.1 B"sv,
                                      "99999999999999999999 B/s"sv,
                                      "1 Ei"sv,
                                      "1 PB/s"sv,
                                      "\xff GB/s"sv,
                                      "1 \xff"sv,
                                      "\xe2\x88\x9e us"sv,
                                      "1/2 us"sv,
                                      "50%"sv,
                                      "$5"sv,
                                      "1 GT/s x16"sv,
                                      "--1 us"sv,
                                      "1- us"sv,
                                      "(1) us"sv,
                                      "\"1 us\""sv,
                                      "1 us # c"sv}) {
    SCOPED_TRACE(std::string(text));
    EXPECT_THROW(parse_bandwidth(text), InputError);
    EXPECT_THROW(parse_duration(text), InputError);
    EXPECT_THROW(parse_size(text), InputError);
    EXPECT_THROW(parse_transfers(text), InputError);
  }
}

}  // namespace
}  // namespace ringspan
