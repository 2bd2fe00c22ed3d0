#include "app/study/design_sizing.h"

#include <fmt/format.h>

#include <optional>

namespace ringspan {

namespace {

constexpr int kMostUnits = 1 << 16;

std::optional<double> quantity_of(const PlannedDesign& planned, EqualQuantity quantity) {
  if (!planned.cost) return std::nullopt;
  return quantity == EqualQuantity::Cost ? planned.cost->per_hour : planned.cost->watts;
}

std::string_view word_of(EqualQuantity quantity) {
  return quantity == EqualQuantity::Cost ? "cost" : "power";
}

double required_quantity(const PlannedDesign& planned, EqualQuantity quantity) {
  if (const std::optional<double> value = quantity_of(planned, quantity)) return *value;
  throw InputError(
      planned.design.system_at,
      fmt::format("design '{}': its {} is not known", planned.design.name, word_of(quantity)),
      "name a `price_book` that has its machines");
}

class Sizing {
 public:
  Sizing(const Study& study, DesignBuilder& builder)
      : constraint_(*study.constraint), designs_(study.designs), builder_(builder) {}

  std::vector<PlannedDesign> size() {
    return constraint_.equal == EqualQuantity::Gpus ? equal_gpus() : equal_quantity();
  }

 private:
  std::vector<PlannedDesign> equal_gpus() {
    std::vector<PlannedDesign> planned;
    std::optional<int> target = constraint_.gpus;
    for (StudyDesign design : designs_) {
      if (!design.gpus && !design.nodes && target) {
        design.gpus = target;
        design.size_at = constraint_.where;
      }
      planned.push_back(builder_.build(design));
      if (!target) target = planned.back().gpus;
      if (planned.back().gpus == *target) continue;
      throw InputError(planned.back().design.size_at,
                       fmt::format("design '{}' has {} GPUs, and the study makes them equal: {}",
                                   design.name, planned.back().gpus, *target),
                       "leave out `gpus` and `nodes`, or the [constraint]");
    }
    return planned;
  }

  std::vector<PlannedDesign> equal_quantity() {
    std::vector<PlannedDesign> planned;
    std::optional<double> target =
        constraint_.equal == EqualQuantity::Cost ? constraint_.cost : constraint_.watts;
    for (const StudyDesign& design : designs_) {
      const bool sized = design.gpus || design.nodes || !design.placement.empty();
      if (!target) {
        planned.push_back(builder_.build(design));
        target = required_quantity(planned.back(), constraint_.equal);
        continue;
      }
      if (sized) {
        throw InputError(
            design.size_at,
            fmt::format("design '{}' says how large it is, and the study makes {} equal",
                        design.name, word_of(constraint_.equal)),
            "leave out `gpus`, `nodes` and `placement`");
      }
      planned.push_back(largest_within(design, *target));
    }
    return planned;
  }

  PlannedDesign largest_within(const StudyDesign& design, double target) {
    PlannedDesign best = of_units(design, 1);
    const double one = required_quantity(best, constraint_.equal);
    if (constraint_.cost && best.cost->currency != constraint_.currency) {
      throw InputError(constraint_.where,
                       fmt::format("the cost is in {}, and design '{}' has prices in {}",
                                   constraint_.currency, design.name, best.cost->currency),
                       "aim at a cost in the price book's currency");
    }
    if (!within(one, target)) {
      throw InputError(design.system_at,
                       fmt::format("design '{}': one unit has a {} of {:.6g}, more than {:.6g}",
                                   design.name, word_of(constraint_.equal), one, target),
                       "aim higher, or take a smaller system");
    }
    int low = 1, high = 2;
    const auto fits = [&](int units) {
      std::optional<PlannedDesign> tried = try_units(design, units);
      if (!tried || !within(required_quantity(*tried, constraint_.equal), target)) return false;
      best = std::move(*tried);
      return true;
    };
    for (; high <= kMostUnits && fits(high); high *= 2) low = high;
    while (high - low > 1) {
      const int middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    return best;
  }

  // Sums of floating point come in different orders.
  static bool within(double value, double target) { return value <= target * (1 + 1e-9); }

  PlannedDesign of_units(StudyDesign design, int units) {
    if (!unit_servers_.contains(design.name)) {
      design.nodes = 1;
      const PlannedDesign smallest = builder_.build(design);
      unit_servers_[design.name] = smallest.system->cluster.domain(0).servers();
    }
    design.nodes = units * unit_servers_[design.name];
    return builder_.build(design);
  }

  // Nothing: the system cannot grow so far.
  std::optional<PlannedDesign> try_units(const StudyDesign& design, int units) {
    try {
      return of_units(design, units);
    } catch (const InputError&) {
      return std::nullopt;
    }
  }

  const StudyConstraint& constraint_;
  const std::vector<StudyDesign>& designs_;
  DesignBuilder& builder_;
  std::map<std::string, int> unit_servers_;
};

// Costs side by side need one currency.
void require_one_currency(const std::vector<PlannedDesign>& planned) {
  const PlannedDesign* first = nullptr;
  for (const PlannedDesign& one : planned) {
    if (!one.cost || one.cost->currency.empty()) continue;
    if (first == nullptr) first = &one;
    if (one.cost->currency == first->cost->currency) continue;
    throw InputError(one.design.price_book_at,
                     fmt::format("design '{}' has prices in {}, design '{}' in {}", one.design.name,
                                 one.cost->currency, first->design.name, first->cost->currency),
                     "take price books of one currency");
  }
}

}  // namespace

PlannedDesign DesignBuilder::build(const StudyDesign& design) {
  const DesignRequest request = request_of(design);
  PlannedDesign planned;
  planned.design = design;
  planned.system = systems_.load(request);
  const RankPlaces places =
      placed(systems_.places(request, *planned.system), design.placement, *planned.system);
  planned.nodes = places.servers;
  planned.gpus = static_cast<int>(places.ranks.size());
  planned.bill = bill_of(*planned.system, catalog_.links);
  if (design.price_book) planned.cost = cost_of(planned.bill, book_of(design), planned.gpus);
  return planned;
}

const PriceBook& DesignBuilder::book_of(const StudyDesign& design) {
  const auto found = books_.find(*design.price_book);
  if (found != books_.end()) return found->second;
  try {
    return books_.emplace(*design.price_book, load_price_book(*design.price_book)).first->second;
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    if (!problem.where.file.empty()) throw;
    throw InputError(design.price_book_at, problem.message, problem.hint);
  }
}

std::vector<PlannedDesign> equal_designs(const Study& study, DesignBuilder& builder) {
  std::vector<PlannedDesign> planned;
  if (study.constraint) {
    planned = Sizing(study, builder).size();
  } else {
    for (const StudyDesign& design : study.designs) planned.push_back(builder.build(design));
  }
  require_one_currency(planned);
  return planned;
}

}  // namespace ringspan
