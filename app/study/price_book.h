#pragma once

// What things cost and draw, as a user's file says it (docs/prices.md). Nothing is priced that no
// entry names, and no entry is used that a study does not ask for.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/input_error.h"

namespace ringspan {

enum class PricedKind { Rack, Server, Gpu, Switch, Cable };

std::string_view priced_kind_name(PricedKind kind);  // "rack", "server", ...

struct PriceEntry {
  PricedKind kind = PricedKind::Server;
  std::vector<std::string> names;  // systems, GPU models, or presets of links
  std::optional<double> price;     // of one, to buy
  std::optional<double> rent;      // of one and hour: network, power and space are in it
  std::optional<double> watts;     // of one
  // Of cables.
  double from_metres = 0, to_metres = 1e9;
  std::string medium;        // "copper", "optical"; empty: not said
  std::string source, date;  // no source: the user's own figure
};

struct PriceBook {
  std::string name;
  std::string date;
  std::string currency;                  // empty: the book has power only
  std::optional<double> lifetime_hours;  // over which what is bought is paid off evenly
  std::optional<double> electricity;     // per kWh; absent: not counted
  double overhead = 1;                   // all power over that of the machines (PUE)
  bool prefer_rent = true;               // where the book has rents and prices
  std::vector<PriceEntry> entries;

  // The first entry of a kind that names it; cables by length too. nullptr: there is none.
  const PriceEntry* find(PricedKind kind, std::string_view name, double metres = 0) const;
};

// `name_or_path`: a built-in book's name, or a path. Throws InputError; without a position where
// there is no such book.
PriceBook load_price_book(const std::string& name_or_path);
PriceBook parse_price_book(std::string_view text, const std::string& file);
std::vector<std::string> builtin_price_book_names();

}  // namespace ringspan
