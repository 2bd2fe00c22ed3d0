#include "app/study/money_reading.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "sim/base/decimal.h"
#include "sim/base/quote.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

std::string names_of(const std::vector<QuantityUnit>& units) {
  std::string text;
  for (const QuantityUnit& unit : units) text += (text.empty() ? "" : ", ") + unit.name;
  return text;
}

}  // namespace

double read_quantity(const ConfigNode& table, std::string_view key,
                     const std::vector<QuantityUnit>& units, std::string_view example) {
  const std::string text = table.scalar(key, fmt::format("\"{}\"", example)).text;
  const std::string hint = fmt::format("for example: {} = \"{}\"", key, example);
  const DecimalScan number = scan_decimal(text);
  if (number.status != DecimalStatus::Ok || number.value.negative) {
    table.fail(key, fmt::format("{} is no number above 0 with a unit", quote_text(text)), hint);
  }
  std::string_view unit = std::string_view(text).substr(number.length);
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  double value = 0;
  std::from_chars(text.data(), text.data() + number.length, value);
  for (const QuantityUnit& one : units) {
    if (one.name == unit && std::isfinite(value)) return value * one.factor;
  }
  table.fail(key,
             unit.empty() ? fmt::format("{} has no unit", quote_text(text))
                          : fmt::format("{} has an unknown unit; {}", quote_text(text),
                                        "here it is " + names_of(units)),
             hint);
}

std::optional<double> find_money(const ConfigNode& table, std::string_view key,
                                 const std::string& currency, std::string_view per,
                                 std::string_view example) {
  if (!given(table, key)) return std::nullopt;
  if (currency.empty()) {
    table.fail(key, "a price needs a currency", "add currency = \"USD\" at the top of the book");
  }
  const std::string unit = currency + std::string(per);
  return read_quantity(table, key, {{unit, 1}}, fmt::format("{} {}", example, unit));
}

std::optional<double> find_watts(const ConfigNode& table, std::string_view key) {
  if (!given(table, key)) return std::nullopt;
  return read_quantity(table, key, {{"W", 1}, {"kW", 1e3}, {"MW", 1e6}}, "10.2 kW");
}

}  // namespace ringspan
