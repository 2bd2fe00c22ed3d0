#include "sim/base/input_error.h"

#include <gtest/gtest.h>

#include "sim/base/quote.h"

namespace ringspan {
namespace {

TEST(InputError, WritesOnlyThePartsThatAreKnown) {
  EXPECT_EQ(format_problem({{"f.toml", 3, 7}, "bad", "fix"}), "f.toml:3:7: error: bad\nhint: fix");
  EXPECT_EQ(format_problem({{"f.toml", 0, 0}, "bad", ""}), "f.toml: error: bad");
  EXPECT_EQ(format_problem({{}, "bad", "fix"}), "error: bad\nhint: fix");
}

TEST(NearestName, CountsASwapOfNeighboursAsOneSlip) {
  EXPECT_EQ(nearest_name("cuont", {"link", "count"}), "count");
  // One wrong letter of three is near enough, two are not.
  EXPECT_EQ(nearest_name("gpx", {"gpu"}), "gpu");
  EXPECT_EQ(nearest_name("ALL_REDUCE", {"all_gather", "all_reduce"}), "all_reduce");
  EXPECT_EQ(nearest_name("xpx", {"gpu"}), "");
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'x'), {"gpu"}), "");
}

TEST(NameHint, ListsTheNamesWhenNoneIsNear) {
  EXPECT_EQ(name_hint("toaster", {"gpu", "cpu"}), "one of: gpu, cpu");
  EXPECT_EQ(name_hint("toaster", {}), "");
}

// A zero would end what() early, an ESC would steer the terminal, a line break would forge a line.
TEST(InputErrorText, IsHarmlessWhateverTheUserWrote) {
  const InputError error({"a\x1b[2J.toml", 1, 2}, std::string("no file 'a\0b'", 13), "not 'c\nd'");
  EXPECT_STREQ(error.what(), "a\\x1b[2J.toml:1:2: error: no file 'a\\x00b'\nhint: not 'c\\x0ad'");
}

TEST(QuoteText, EscapesControlCharactersAndBrokenUtf8) {
  EXPECT_EQ(quote_text("a\tb"), "'a\\x09b'");
  EXPECT_EQ(quote_text("\xc3\xa9"), "'\xc3\xa9'");
  EXPECT_EQ(quote_text("\xff"), "'\\xff'");
  // U+009B opens a terminal sequence as ESC [ does.
  EXPECT_EQ(quote_text("\xc2\x9b"), "'\\xc2\\x9b'");
}

}  // namespace
}  // namespace ringspan
