// Values that several sections have.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/study/study_sections.h"
#include "sim/base/quote.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

constexpr Bytes kLargestSize{std::int64_t{1} << 62};
constexpr double kMostValues = 100'000;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

double read_factor(const ConfigNode& range) {
  const double factor = range.number("factor", 0, 1e18);
  if (factor <= 1) {
    range.fail("factor", fmt::format("a factor of {} never reaches the end", factor),
               "give a number above 1");
  }
  return factor;
}

std::vector<Bytes> read_size_range(const ConfigNode& range) {
  const Bytes from = read_study_size(range, "from"), to = read_study_size(range, "to");
  const double factor = read_factor(range);
  if (from > to) range.fail("from", "the first size is above the last", "swap `from` and `to`");
  return at_key(range, "factor", [&] { return size_steps(from, to, factor); });
}

void require_count(const ConfigNode& range, std::string_view key, double count) {
  if (count <= kMostValues) return;
  range.fail(key, fmt::format("the range has about {:.3g} values", count),
             fmt::format("up to {:.0f}: take a larger {}", kMostValues, key));
}

}  // namespace

std::string located(const std::string& folder, const std::string& name_or_path) {
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       std::string_view(name_or_path).ends_with(".toml");
  const std::filesystem::path path(name_or_path);
  if (!is_path || folder.empty() || path.is_absolute()) return name_or_path;
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

std::string read_unique_name(const ConfigNode& table, std::string_view what,
                             const std::vector<std::string>& taken, const std::string& fallback) {
  std::string name = fallback.empty() ? table.text("name") : table.text_or("name", fallback);
  if (name.empty() || std::any_of(name.begin(), name.end(), is_control)) {
    table.fail("name", fmt::format("the name of a {} is one line of text", what),
               "for example: name = \"one rack\"");
  }
  if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
    table.fail("name", fmt::format("two {}s are called {}", what, quote_text(name)),
               "give each a `name` of its own");
  }
  return name;
}

Bytes read_study_size(const ConfigNode& table, std::string_view key) {
  const Bytes size = table.bytes(key);
  if (size > kLargestSize) {
    table.fail(key, fmt::format("{} bytes are too many", size.count),
               "the largest size is 2^62 bytes (4194304T)");
  }
  return size;
}

std::vector<Bytes> read_study_sizes(const ConfigNode& table) {
  if (table.is_table("sizes")) return read_size_range(table.child("sizes"));
  if (!table.is_list("sizes")) return {read_study_size(table, "sizes")};
  std::vector<Bytes> sizes;
  for (const ConfigScalar& item : table.scalars("sizes", "[\"1M\", \"1G\"]")) {
    try {
      sizes.push_back(parse_size(item.text).size);
    } catch (const InputError& error) {
      const InputProblem& problem = error.problems().front();
      throw InputError(item.where, problem.message, problem.hint);
    }
    if (sizes.back() > kLargestSize) {
      throw InputError(item.where, fmt::format("{} bytes are too many", sizes.back().count),
                       "the largest size is 2^62 bytes (4194304T)");
    }
  }
  if (sizes.empty()) {
    table.fail("sizes", "the list of sizes is empty", "for example: sizes = [\"1M\", \"1G\"]");
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<std::string> read_number_range(const ConfigNode& range) {
  constexpr double kFar = 1e18;
  const double from = range.number("from", -kFar, kFar), to = range.number("to", -kFar, kFar);
  const std::string unit = range.text_or("unit", "");
  if (from > to) range.fail("from", "the range begins above its end", "swap `from` and `to`");
  if (given(range, "step") == given(range, "factor")) {
    throw InputError(range.position(), "a range has either `step` or `factor`",
                     "{ from = 1, to = 8, step = 1 } or { from = 1, to = 64, factor = 2 }");
  }
  std::vector<std::string> values;
  // Half a step's rounding of decimal fractions must not lose the last value.
  constexpr double kSlack = 1 + 1e-9;
  const auto append = [&](double value) {
    values.push_back(fmt::format("{:.12g}{}", value, unit));
  };
  if (range.has("factor")) {
    const double factor = read_factor(range);
    if (from <= 0) range.fail("from", "a range with a factor begins above 0", "or take `step`");
    require_count(range, "factor", std::log(to / from) / std::log(factor) + 1);
    for (double value = from; value <= to * kSlack; value *= factor) append(value);
    return values;
  }
  const double step = range.number("step", -kFar, kFar);
  if (step <= 0) {
    range.fail("step", fmt::format("a step of {} never reaches the end", step), "take one above 0");
  }
  const double steps = (to - from) / step;
  require_count(range, "step", steps + 1);
  for (double i = 0; i <= steps + 1e-9; ++i) append(from + i * step);
  return values;
}

}  // namespace ringspan
