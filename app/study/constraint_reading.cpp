// [constraint]: what designs are made equal in.

#include <fmt/format.h>

#include <array>
#include <limits>

#include "app/study/money_reading.h"
#include "app/study/study_sections.h"
#include "sim/base/quote.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

constexpr std::array kQuantities = {EqualQuantity::Gpus, EqualQuantity::Cost, EqualQuantity::Power};

std::string_view quantity_name(EqualQuantity quantity) {
  constexpr std::array<std::string_view, 3> kNames = {"gpus", "cost", "power"};
  return kNames[static_cast<std::size_t>(quantity)];
}

// "120 USD/h": the currency is the book's, which is not read yet.
void read_cost(const ConfigNode& table, StudyConstraint& constraint) {
  const std::string text = table.text("cost");
  const std::size_t end = text.size() < 2 ? 0 : text.size() - 2;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] >= 'A' && text[begin - 1] <= 'Z') --begin;
  constraint.currency = text.substr(begin, end - begin);
  if (!text.ends_with("/h") || constraint.currency.empty()) {
    table.fail("cost", fmt::format("{} is no cost per hour", quote_text(text)),
               "a number with the price book's currency: cost = \"120 USD/h\"");
  }
  constraint.cost = read_quantity(table, "cost", {{constraint.currency + "/h", 1}}, "120 USD/h");
}

}  // namespace

StudyConstraint read_constraint(const ConfigNode& table) {
  StudyConstraint constraint;
  constraint.where = table.position();
  constraint.equal = enum_choice(table, "equal", kQuantities, quantity_name);
  if (constraint.equal == EqualQuantity::Gpus && given(table, "gpus")) {
    constraint.gpus =
        static_cast<int>(table.integer("gpus", 1, std::numeric_limits<std::int32_t>::max()));
  }
  if (constraint.equal == EqualQuantity::Cost && given(table, "cost")) read_cost(table, constraint);
  if (constraint.equal == EqualQuantity::Power) constraint.watts = find_watts(table, "power");
  return constraint;
}

}  // namespace ringspan
