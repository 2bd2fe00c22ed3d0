#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/study/bill.h"

namespace ringspan {

namespace {

constexpr std::array kMachines = {BillItem::Rack, BillItem::Server, BillItem::Gpu};

std::optional<PricedKind> priced_kind(BillItem item) {
  switch (item) {
    case BillItem::Rack:
      return PricedKind::Rack;
    case BillItem::Server:
      return PricedKind::Server;
    case BillItem::Gpu:
      return PricedKind::Gpu;
    case BillItem::Switch:
      return PricedKind::Switch;
    case BillItem::Cable:
      return PricedKind::Cable;
    default:
      return std::nullopt;
  }
}

PricedLine priced(BillLine line, const PriceBook& book) {
  PricedLine result;
  const std::optional<PricedKind> kind = priced_kind(line.item);
  const PriceEntry* const entry = kind ? book.find(*kind, line.name, line.metres) : nullptr;
  if (entry != nullptr) {
    line.medium = entry->medium;
    result.price = entry->price;
    result.rent = entry->rent;
    result.watts = entry->watts;
    result.source = entry->source.empty() ? "own figure" : entry->source;
    if (!entry->date.empty()) result.source += ", " + entry->date;
  }
  result.line = std::move(line);
  return result;
}

using Figure = std::optional<double> PricedLine::*;

class Costing {
 public:
  Costing(std::vector<BillLine> bill, const PriceBook& book, int gpus) : book_(book) {
    std::int64_t all = 0;
    for (const BillLine& line : bill) all += line.item == BillItem::Gpu ? line.count : 0;
    share_of_gpus_ = all > 0 ? static_cast<double>(gpus) / static_cast<double>(all) : 1;
    cost_.book = book.name;
    cost_.currency = book.currency;
    for (BillLine& line : bill) cost_.lines.push_back(priced(std::move(line), book));
  }

  DesignCost cost() {
    add_power();
    if (!book_.currency.empty()) add_cost();
    return std::move(cost_);
  }

 private:
  // The largest kind of machine of which every line has the figure.
  std::optional<double> of_machines(Figure figure) const {
    for (const BillItem item : kMachines) {
      double sum = 0;
      bool any = false, all = true;
      for (const PricedLine& one : cost_.lines) {
        // Servers of racks are the racks'.
        if (one.line.item != item) continue;
        any = true;
        all = all && (one.*figure).has_value();
        if (all) sum += *(one.*figure) * static_cast<double>(one.line.count);
      }
      const bool one_by_one = item == BillItem::Gpu && figure == &PricedLine::rent;
      if (any && all && covers_all(item)) return one_by_one ? sum * share_of_gpus_ : sum;
    }
    return std::nullopt;
  }

  // Racks are all there is only where no server stands outside of them.
  bool covers_all(BillItem item) const {
    if (item != BillItem::Rack) return true;
    return std::all_of(cost_.lines.begin(), cost_.lines.end(), [&](const PricedLine& one) {
      return one.line.item != BillItem::Server || is_of_rack(one.line.name);
    });
  }
  bool is_of_rack(const std::string& name) const {
    return std::any_of(cost_.lines.begin(), cost_.lines.end(), [&](const PricedLine& one) {
      return one.line.item == BillItem::Rack && one.line.name == name;
    });
  }

  // Switches and cables; what lacks a figure is told.
  double of_network(Figure figure, std::string_view what, bool& incomplete) {
    double sum = 0;
    for (const PricedLine& one : cost_.lines) {
      if (one.line.item != BillItem::Switch && one.line.item != BillItem::Cable) continue;
      if (one.*figure) {
        sum += *(one.*figure) * static_cast<double>(one.line.count);
        continue;
      }
      incomplete = true;
      cost_.missing.push_back(fmt::format("{} of {} {} {}{}", what, one.line.count, one.line.name,
                                          bill_item_name(one.line.item),
                                          one.line.item == BillItem::Switch ? "es" : "s"));
    }
    return sum;
  }

  void add_power() {
    const std::optional<double> machines = of_machines(&PricedLine::watts);
    if (!machines) {
      cost_.missing.push_back("power of the machines");
      return;
    }
    const double network = of_network(&PricedLine::watts, "power", cost_.power_incomplete);
    cost_.watts = (*machines + network) * book_.overhead;
  }

  void add_cost() {
    const std::optional<double> rent = of_machines(&PricedLine::rent);
    const std::optional<double> price = of_machines(&PricedLine::price);
    if (!rent && !price) {
      cost_.missing.push_back("price of the machines");
    } else if (rent && (book_.prefer_rent || !price)) {
      cost_.rented = true;
      cost_.per_hour = rent;
    } else {
      cost_.purchase = *price + of_network(&PricedLine::price, "price", cost_.cost_incomplete);
      cost_.per_hour = *cost_.purchase / *book_.lifetime_hours + energy_per_hour();
    }
  }

  double energy_per_hour() {
    if (book_.electricity && cost_.watts) {
      cost_.cost_incomplete |= cost_.power_incomplete;
      return *cost_.watts / 1e3 * *book_.electricity;
    }
    cost_.cost_incomplete = true;
    cost_.missing.push_back("energy");
    return 0;
  }

  const PriceBook& book_;
  double share_of_gpus_ = 1;  // that take part
  DesignCost cost_;
};

}  // namespace

DesignCost cost_of(std::vector<BillLine> bill, const PriceBook& book, int gpus) {
  return Costing(std::move(bill), book, gpus).cost();
}

}  // namespace ringspan
