#include "sim/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/decimal.h"
#include "sim/base/input_error.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

struct Unit {
  std::string name;
  std::int64_t factor = 1;  // in the quantity's base unit
};

// What a kind of quantity is called and how it is written, for messages.
struct Kind {
  std::string_view name;       // "a rate"
  std::string_view unit;       // appended in the hint for a missing unit
  std::string_view too_large;  // the largest value the type holds
};

constexpr Kind kRate{"a rate", "GB/s", "9.2e18 bit/s"};
constexpr Kind kDuration{"a duration", "us", "9.2e6 s"};
constexpr Kind kSize{"a size", "KiB", "8 EiB"};
constexpr Kind kTransfers{"a transfer rate", "GT/s", "9.2e18 transfers/s"};

std::vector<Unit> rate_units() {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 10> kPrefixes = {
      {{"G", 1'000'000'000},
       {"", 1},
       {"k", 1'000},
       {"K", 1'000},
       {"M", 1'000'000},
       {"T", 1'000'000'000'000},
       {"Ki", std::int64_t{1} << 10},
       {"Mi", std::int64_t{1} << 20},
       {"Gi", std::int64_t{1} << 30},
       {"Ti", std::int64_t{1} << 40}}};
  std::vector<Unit> units;
  for (const auto& [prefix, factor] : kPrefixes) {
    units.push_back({std::string(prefix) + "B/s", factor * 8});
    units.push_back({std::string(prefix) + "b/s", factor});
    units.push_back({std::string(prefix) + "bit/s", factor});
    units.push_back({std::string(prefix) + "bps", factor});
  }
  return units;
}

std::vector<Unit> duration_units() {
  return {
      {"us", 1'000'000}, {"ns", 1'000}, {"ps", 1}, {"ms", 1'000'000'000}, {"s", 1'000'000'000'000}};
}

// nccl-tests' parser takes K, M and G in either case.
std::vector<Unit> size_units() {
  constexpr std::int64_t kKi = std::int64_t{1} << 10;
  constexpr std::int64_t kMi = std::int64_t{1} << 20;
  constexpr std::int64_t kGi = std::int64_t{1} << 30;
  constexpr std::int64_t kTi = std::int64_t{1} << 40;
  return {{"", 1},
          {"B", 1},
          {"K", kKi},
          {"M", kMi},
          {"G", kGi},
          {"T", kTi},
          {"k", kKi},
          {"m", kMi},
          {"g", kGi},
          {"t", kTi},
          {"KiB", kKi},
          {"MiB", kMi},
          {"GiB", kGi},
          {"TiB", kTi},
          {"KB", 1'000},
          {"MB", 1'000'000},
          {"GB", 1'000'000'000},
          {"TB", 1'000'000'000'000}};
}

std::vector<Unit> transfer_units() { return {{"GT/s", 1'000'000'000}, {"MT/s", 1'000'000}}; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

[[noreturn]] void refuse_number(std::string_view text, const Kind& kind) {
  const std::string example = fmt::format("\"50 {}\"", kind.unit);
  const std::string word = lower(text.substr(0, 4));
  if (word.starts_with("nan") || word.starts_with("inf") || word.starts_with("-inf") ||
      word.starts_with("+inf") || word.starts_with("-nan")) {
    throw InputError(
        fmt::format("{} is not a finite number", quote_text(text)),
        fmt::format("write {} as a decimal number and a unit, for example {}", kind.name, example));
  }
  throw InputError(
      fmt::format("{} does not begin with a number", quote_text(text)),
      fmt::format("write {} as a number and a unit, for example {}", kind.name, example));
}

// "gb/s" could be two units: name both.
std::string case_hint(std::string_view written, std::span<const Unit> units) {
  std::string hint;
  std::vector<std::int64_t> named;  // kb and Kb are the same
  for (const Unit& unit : units) {
    const bool known = std::find(named.begin(), named.end(), unit.factor) != named.end();
    if (lower(unit.name) != lower(written) || known) continue;
    named.push_back(unit.factor);
    hint += hint.empty() ? "did you mean '" : " or '";
    hint += unit.name + "'";
  }
  if (hint.empty()) return hint;
  return hint + "? Upper and lower case differ: b is a bit, B a byte";
}

[[noreturn]] void refuse_unit(std::string_view text, std::string_view written,
                              std::span<const Unit> units, const Kind& kind) {
  const std::string message =
      fmt::format("{} has the unknown unit {}", quote_text(text), quote_text(written));
  if (written.starts_with(',') || written.starts_with('_')) {
    throw InputError(message, "write the number with a decimal point and no separators");
  }
  if (&kind == &kRate && written.ends_with("T/s")) {
    throw InputError(message,
                     "GT/s counts transfers per lane and has a meaning for PCIe link kinds only; "
                     "write a rate, for example \"64 GB/s\"");
  }
  std::string hint = case_hint(written, units);
  if (!hint.empty() && &kind != &kRate) hint.resize(hint.find('?') + 1);
  if (hint.empty() && written.size() > 1) {
    std::vector<std::string> names;
    for (const Unit& unit : units) {
      if (!unit.name.empty()) names.push_back(unit.name);
    }
    const std::string nearest = nearest_name(written, names);
    if (!nearest.empty()) hint = fmt::format("did you mean '{}'?", nearest);
  }
  if (hint.empty() && &kind == &kRate) {
    hint = "rates are written as \"50 GB/s\" or \"400 Gbit/s\"";
  } else if (hint.empty() && &kind == &kDuration) {
    hint = "one of: ps, ns, us, ms, s";
  } else if (hint.empty() && &kind == &kSize) {
    hint = "one of: B, K, M, G, T (binary), KiB, MiB, GiB, TiB, KB, MB, GB, TB (decimal)";
  } else if (hint.empty()) {
    hint = fmt::format("write it as \"32 {}\"", kind.unit);
  }
  throw InputError(message, hint);
}

struct Parsed {
  std::int64_t value = 0;
  std::string_view unit;
};

std::int64_t to_base_unit(std::string_view text, const Decimal& number, const Unit& unit,
                          std::int64_t divisor, const Kind& kind) {
  const ScaledInteger scaled = scale_decimal(number, unit.factor, divisor);
  if (!scaled.fits) {
    throw InputError(fmt::format("{} is too large", quote_text(text)),
                     fmt::format("the largest value is {}", kind.too_large));
  }
  if (&kind == &kSize && !scaled.exact) {
    throw InputError(fmt::format("{} is not a whole number of bytes", quote_text(text)),
                     fmt::format("the nearest size is {}", scaled.value));
  }
  if (scaled.value == 0 && number.digits != 0) {
    throw InputError(
        fmt::format("{} is too small", quote_text(text)),
        &kind == &kDuration ? "the smallest duration is 1 ps" : "the smallest rate is 1 b/s");
  }
  return scaled.value;
}

// Number, unit, nothing else. `divisor` 2 halves exactly.
Parsed parse_quantity(std::string_view text, std::string_view shown, std::span<const Unit> units,
                      const Kind& kind, std::int64_t divisor = 1) {
  const DecimalScan scan = scan_decimal(text);
  if (scan.status == DecimalStatus::TooManyDigits) {
    throw InputError(fmt::format("{} has too many digits", quote_text(shown)),
                     fmt::format("at most {} significant digits are exact", kMostDigits));
  }
  if (scan.status == DecimalStatus::None) refuse_number(shown, kind);
  if (scan.value.negative) {
    throw InputError(fmt::format("{} is negative", quote_text(shown)),
                     fmt::format("{} must not be below zero", kind.name));
  }
  const std::string_view written = trimmed(text.substr(scan.length));
  for (const Unit& unit : units) {
    if (unit.name == written) {
      return {to_base_unit(shown, scan.value, unit, divisor, kind), written};
    }
  }
  if (written.empty()) {
    throw InputError(fmt::format("{} has no unit", quote_text(shown)),
                     fmt::format("append a unit, for example \"{} {}\"",
                                 trimmed(text.substr(0, scan.length)), kind.unit));
  }
  refuse_unit(shown, written, units, kind);
}

// At most three decimals and four significant digits: 450, 12.5, 15.75, 1.234.
std::string short_number(double value) {
  const int decimals = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

struct Scale {
  std::int64_t factor;
  std::string_view unit;
};

// The first scale that the value reaches; the last one else.
std::string format_scaled(std::int64_t value, std::span<const Scale> scales) {
  std::size_t i = 0;
  while (i + 1 < scales.size() && value < scales[i].factor) ++i;
  return fmt::format(
      "{} {}", short_number(static_cast<double>(value) / static_cast<double>(scales[i].factor)),
      scales[i].unit);
}

}  // namespace

ParsedBandwidth parse_bandwidth(std::string_view text) {
  constexpr std::string_view kBidir = "bidir";
  std::string_view rest = trimmed(text);
  const bool bidirectional = rest.ends_with(kBidir);
  if (bidirectional) rest = trimmed(rest.substr(0, rest.size() - kBidir.size()));
  const std::vector<Unit> units = rate_units();
  const Parsed parsed = parse_quantity(rest, trimmed(text), units, kRate, bidirectional ? 2 : 1);
  return {Bandwidth{parsed.value}, bidirectional};
}

Duration parse_duration(std::string_view text) {
  const std::vector<Unit> units = duration_units();
  return Duration{parse_quantity(trimmed(text), trimmed(text), units, kDuration).value};
}

ParsedSize parse_size(std::string_view text) {
  const std::vector<Unit> units = size_units();
  const Parsed parsed = parse_quantity(trimmed(text), trimmed(text), units, kSize);
  const bool decimal = parsed.unit.size() == 2 && parsed.unit[1] == 'B';
  return {Bytes{parsed.value}, decimal};
}

std::int64_t parse_transfers(std::string_view text) {
  const std::vector<Unit> units = transfer_units();
  return parse_quantity(trimmed(text), trimmed(text), units, kTransfers).value;
}

std::string format_bandwidth(Bandwidth rate) {
  if (rate.bits_per_second < 8) return fmt::format("{} b/s", rate.bits_per_second);
  // GB/s up to 10,000 of them: a DGX H100's switches carry "7200 GB/s".
  constexpr std::array<Scale, 5> kScales = {{{80'000'000'000'000, "TB/s"},
                                             {8'000'000'000, "GB/s"},
                                             {8'000'000, "MB/s"},
                                             {8'000, "KB/s"},
                                             {8, "B/s"}}};
  if (rate.bits_per_second >= kScales[0].factor) {
    return fmt::format("{} TB/s", short_number(to_gbytes_per_second(rate) / 1e3));
  }
  return format_scaled(rate.bits_per_second, kScales);
}

std::string format_duration(Duration duration) {
  constexpr std::array<Scale, 5> kScales = {{{1'000'000'000'000, "s"},
                                             {1'000'000'000, "ms"},
                                             {1'000'000, "us"},
                                             {1'000, "ns"},
                                             {1, "ps"}}};
  if (duration.count() == 0) return "0 ns";
  return format_scaled(duration.count(), kScales);
}

std::string format_size(Bytes size) {
  constexpr std::array<Scale, 5> kScales = {{{std::int64_t{1} << 40, "TiB"},
                                             {std::int64_t{1} << 30, "GiB"},
                                             {std::int64_t{1} << 20, "MiB"},
                                             {std::int64_t{1} << 10, "KiB"},
                                             {1, "B"}}};
  return format_scaled(size.count, kScales);
}

}  // namespace ringspan
