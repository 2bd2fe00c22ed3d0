#include "sim/base/quantity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

// The whole text of the InputError, or "" when there was none.
std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

std::string refused_rate(std::string_view text) {
  return refusal([&] { parse_bandwidth(text); });
}
std::string refused_duration(std::string_view text) {
  return refusal([&] { parse_duration(text); });
}
std::string refused_size(std::string_view text) {
  return refusal([&] { parse_size(text); });
}

std::int64_t bits(std::string_view text) {
  return parse_bandwidth(text).per_direction.bits_per_second;
}

TEST(ParseBandwidth, ReadsEveryUnitExactly) {
  EXPECT_EQ(bits("12.5 GB/s"), 100'000'000'000);
  EXPECT_EQ(bits("400 Gbit/s"), 400'000'000'000);
  EXPECT_EQ(bits("400Gb/s"), 400'000'000'000);
  EXPECT_EQ(bits("400 Gbps"), 400'000'000'000);
  EXPECT_EQ(bits("1 B/s"), 8);
  EXPECT_EQ(bits("9600 bps"), 9'600);
  EXPECT_EQ(bits("1 kb/s"), 1'000);
  EXPECT_EQ(bits("1 KB/s"), 8'000);
  EXPECT_EQ(bits("3 Mbit/s"), 3'000'000);
  EXPECT_EQ(bits("1.8 TB/s"), 14'400'000'000'000);
  EXPECT_EQ(bits("1 GiB/s"), std::int64_t{8} << 30);
  EXPECT_EQ(bits("1 TiB/s"), std::int64_t{8} << 40);
  EXPECT_EQ(bits("  50\tGB/s  "), 400'000'000'000);
}

TEST(ParseBandwidth, DoesNotGoThroughADouble) {
  // 26.5625 GB/s is NVLink 4's signalling rate per link: x 8e9 = 212,500,000,000 bit/s.
  EXPECT_EQ(bits("26.5625 GB/s"), 212'500'000'000);
  // 18 digits, all kept: no double holds 0.123456789012345678e18.
  EXPECT_EQ(bits("123456789012345678 b/s"), 123'456'789'012'345'678);
  EXPECT_EQ(bits("0.000000001 GB/s"), 8);
  EXPECT_EQ(bits("5e1 GB/s"), 400'000'000'000);
  EXPECT_EQ(bits("50.000000000000000000000000 GB/s"), 400'000'000'000);
  EXPECT_EQ(bits("1000000000000000000000e-21 GB/s"), 8'000'000'000);
}

TEST(ParseBandwidth, HalvesABidirectionalRate) {
  EXPECT_EQ(bits("900 GB/s bidir"), 3'600'000'000'000);
  EXPECT_TRUE(parse_bandwidth("900 GB/s bidir").bidirectional);
  EXPECT_FALSE(parse_bandwidth("900 GB/s").bidirectional);
  // 112.5 GB/s over both directions of an RTX A6000 bridge: 450e9 bit/s each way.
  EXPECT_EQ(bits("112.5 GB/s bidir"), 450'000'000'000);
}

TEST(ParseBandwidth, RefusesABareNumberWithTheUnitToAppend) {
  EXPECT_EQ(refused_rate("50"),
            "error: '50' has no unit\nhint: append a unit, for example \"50 GB/s\"");
  EXPECT_EQ(refused_rate("900 bidir"),
            "error: '900 bidir' has no unit\nhint: append a unit, for example \"900 GB/s\"");
}

TEST(ParseBandwidth, RefusesAnUnknownUnitWithTheNearest) {
  EXPECT_EQ(refused_rate("50 GBs"),
            "error: '50 GBs' has the unknown unit 'GBs'\nhint: did you mean 'GB/s'?");
  EXPECT_EQ(refused_rate("50 gb/s"),
            "error: '50 gb/s' has the unknown unit 'gb/s'\nhint: did you mean 'GB/s' or 'Gb/s'? "
            "Upper and lower case differ: b is a bit, B a byte");
  EXPECT_EQ(refused_rate("50 bananas"),
            "error: '50 bananas' has the unknown unit 'bananas'\n"
            "hint: rates are written as \"50 GB/s\" or \"400 Gbit/s\"");
  EXPECT_EQ(refused_rate("32 GT/s"),
            "error: '32 GT/s' has the unknown unit 'GT/s'\n"
            "hint: GT/s counts transfers per lane and has a meaning for PCIe link kinds only; "
            "write a rate, for example \"64 GB/s\"");
  EXPECT_EQ(refused_rate("1,5 GB/s"),
            "error: '1,5 GB/s' has the unknown unit ',5 GB/s'\n"
            "hint: write the number with a decimal point and no separators");
}

TEST(ParseBandwidth, RefusesWhatIsNotAPositiveFiniteNumber) {
  EXPECT_EQ(refused_rate("-5 GB/s"),
            "error: '-5 GB/s' is negative\nhint: a rate must not be below zero");
  EXPECT_EQ(refused_rate("nan GB/s"),
            "error: 'nan GB/s' is not a finite number\n"
            "hint: write a rate as a decimal number and a unit, for example \"50 GB/s\"");
  EXPECT_EQ(refused_rate("-inf GB/s"),
            "error: '-inf GB/s' is not a finite number\n"
            "hint: write a rate as a decimal number and a unit, for example \"50 GB/s\"");
  EXPECT_EQ(refused_rate("GB/s"),
            "error: 'GB/s' does not begin with a number\n"
            "hint: write a rate as a number and a unit, for example \"50 GB/s\"");
  EXPECT_EQ(refused_rate(""),
            "error: '' does not begin with a number\n"
            "hint: write a rate as a number and a unit, for example \"50 GB/s\"");
  EXPECT_EQ(refused_rate("0x10 GB/s"),
            "error: '0x10 GB/s' has the unknown unit 'x10 GB/s'\n"
            "hint: rates are written as \"50 GB/s\" or \"400 Gbit/s\"");
}

TEST(ParseBandwidth, RefusesWhatTheTypeCannotHold) {
  EXPECT_EQ(refused_rate("2e6 TB/s"),
            "error: '2e6 TB/s' is too large\nhint: the largest value is 9.2e18 bit/s");
  EXPECT_EQ(refused_rate("1e999999999999 B/s"),
            "error: '1e999999999999 B/s' is too large\nhint: the largest value is 9.2e18 bit/s");
  EXPECT_EQ(refused_rate("1e-30 GB/s"),
            "error: '1e-30 GB/s' is too small\nhint: the smallest rate is 1 b/s");
  EXPECT_EQ(refused_rate("1.2345678901234567891 GB/s"),
            "error: '1.2345678901234567891 GB/s' has too many digits\n"
            "hint: at most 19 significant digits are exact");
}

TEST(ParseBandwidth, MakesUserTextHarmless) {
  EXPECT_EQ(refused_rate(std::string_view("5\x1b[2J", 5)),
            "error: '5\\x1b[2J' has the unknown unit '\\x1b[2J'\n"
            "hint: rates are written as \"50 GB/s\" or \"400 Gbit/s\"");
  // Cut at 60 bytes.
  EXPECT_THAT(refused_rate(std::string(100'000, 'x')),
              testing::StartsWith("error: '" + std::string(60, 'x') + "...' does not begin"));
}

TEST(ParseDuration, IsExactToThePicosecond) {
  EXPECT_EQ(parse_duration("1.2 us").count(), 1'200'000);
  EXPECT_EQ(parse_duration("450ns").count(), 450'000);
  EXPECT_EQ(parse_duration("7 ps").count(), 7);
  EXPECT_EQ(parse_duration("0.1 ms").count(), 100'000'000);
  EXPECT_EQ(parse_duration("3 s").count(), 3'000'000'000'000);
  EXPECT_EQ(parse_duration("0 us").count(), 0);
  // Finer than the clock: to the nearest picosecond, 0.3333 ns = 333.3 ps.
  EXPECT_EQ(parse_duration("0.3333 ns").count(), 333);
}

TEST(ParseDuration, RefusesWithTheUnitsThereAre) {
  EXPECT_EQ(refused_duration("5"),
            "error: '5' has no unit\nhint: append a unit, for example \"5 us\"");
  EXPECT_EQ(refused_duration("5 US"),
            "error: '5 US' has the unknown unit 'US'\nhint: did you mean 'us'?");
  EXPECT_EQ(refused_duration("5 minutes"),
            "error: '5 minutes' has the unknown unit 'minutes'\nhint: one of: ps, ns, us, ms, s");
  EXPECT_EQ(refused_duration("0.1 ps"),
            "error: '0.1 ps' is too small\nhint: the smallest duration is 1 ps");
  EXPECT_EQ(refused_duration("107 days"),
            "error: '107 days' has the unknown unit 'days'\nhint: one of: ps, ns, us, ms, s");
  // 2^63 ps = 9,223,372.04 s.
  EXPECT_EQ(parse_duration("9223372 s").count(), 9'223'372'000'000'000'000);
  EXPECT_EQ(refused_duration("9223373 s"),
            "error: '9223373 s' is too large\nhint: the largest value is 9.2e6 s");
}

TEST(ParseSize, FollowsNcclTests) {
  EXPECT_EQ(parse_size("8").size.count, 8);
  EXPECT_EQ(parse_size("1K").size.count, 1'024);
  EXPECT_EQ(parse_size("64m").size.count, 64 << 20);
  EXPECT_EQ(parse_size("8G").size.count, std::int64_t{8} << 30);
  EXPECT_EQ(parse_size("1.5G").size.count, 1'610'612'736);
  EXPECT_EQ(parse_size("2 TiB").size.count, std::int64_t{2} << 40);
  EXPECT_EQ(parse_size("4 B").size.count, 4);
  EXPECT_FALSE(parse_size("1K").decimal_prefix);
}

// Nineteen digits fit: 2^62, the largest size of a run, and 2^63 - 1; 2^63 does not.
TEST(ParseSize, TakesTheLargestSizesDigitByDigit) {
  EXPECT_EQ(parse_size("4611686018427387904").size.count, std::int64_t{1} << 62);
  EXPECT_EQ(parse_size("9223372036854775807").size.count, std::int64_t{9'223'372'036'854'775'807});
  EXPECT_EQ(refused_size("9223372036854775808"),
            "error: '9223372036854775808' is too large\nhint: the largest value is 8 EiB");
}

TEST(ParseSize, MarksDecimalPrefixes) {
  EXPECT_EQ(parse_size("80 GB").size.count, 80'000'000'000);
  EXPECT_TRUE(parse_size("80 GB").decimal_prefix);
  EXPECT_TRUE(parse_size("1KB").decimal_prefix);
  EXPECT_FALSE(parse_size("1 KiB").decimal_prefix);
}

TEST(ParseSize, RefusesPartsOfAByteAndMoreThanTheTypeHolds) {
  EXPECT_EQ(refused_size("0.3K"),
            "error: '0.3K' is not a whole number of bytes\nhint: the nearest size is 307");
  EXPECT_EQ(refused_size("9000000T"),
            "error: '9000000T' is too large\nhint: the largest value is 8 EiB");
  EXPECT_EQ(refused_size("1 kb"),
            "error: '1 kb' has the unknown unit 'kb'\nhint: did you mean 'KB'?");
  EXPECT_EQ(refused_size("1 X"),
            "error: '1 X' has the unknown unit 'X'\n"
            "hint: one of: B, K, M, G, T (binary), KiB, MiB, GiB, TiB, KB, MB, GB, TB (decimal)");
  EXPECT_EQ(refused_size("-1"), "error: '-1' is negative\nhint: a size must not be below zero");
}

TEST(ParseTransfers, CountsTransfersPerSecond) {
  EXPECT_EQ(parse_transfers("32 GT/s"), 32'000'000'000);
  EXPECT_EQ(parse_transfers("2.5GT/s"), 2'500'000'000);
  EXPECT_EQ(refusal([] { parse_transfers("32 GB/s"); }),
            "error: '32 GB/s' has the unknown unit 'GB/s'\nhint: did you mean 'GT/s'?");
}

TEST(FormatQuantity, IsShort) {
  EXPECT_EQ(format_bandwidth(Bandwidth{3'600'000'000'000}), "450 GB/s");
  EXPECT_EQ(format_bandwidth(Bandwidth{100'000'000'000}), "12.5 GB/s");
  EXPECT_EQ(format_bandwidth(Bandwidth{7'200'000'000}), "900 MB/s");
  EXPECT_EQ(format_bandwidth(Bandwidth{126'030'769'231}), "15.75 GB/s");
  EXPECT_EQ(format_bandwidth(Bandwidth{57'600'000'000'000}), "7200 GB/s");
  EXPECT_EQ(format_bandwidth(Bandwidth{120'000'000'000'000}), "15 TB/s");
  EXPECT_EQ(format_bandwidth(Bandwidth{3}), "3 b/s");
  EXPECT_EQ(format_duration(nanoseconds(1'200)), "1.2 us");
  EXPECT_EQ(format_duration(nanoseconds(450)), "450 ns");
  EXPECT_EQ(format_duration(Duration{}), "0 ns");
  EXPECT_EQ(format_duration(picoseconds(12'345'678)), "12.35 us");
  EXPECT_EQ(format_size(Bytes{8}), "8 B");
  EXPECT_EQ(format_size(Bytes{65'536}), "64 KiB");
  EXPECT_EQ(format_size(Bytes{1'610'612'736}), "1.5 GiB");
}

}  // namespace
}  // namespace ringspan
