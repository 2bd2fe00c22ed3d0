#include "app/study/price_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "app/study/money_reading.h"
#include "sim/base/embedded_file.h"
#include "sim/base/quote.h"
#include "sim/config/read_input.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

std::span<const EmbeddedFile> builtin_price_book_files();  // generated

namespace {

constexpr double kHoursPerYear = 8766;  // 365.25 days

constexpr std::array kKinds = {PricedKind::Rack, PricedKind::Server, PricedKind::Gpu,
                               PricedKind::Switch, PricedKind::Cable};

constexpr std::array kMedia = {std::string_view("copper"), std::string_view("optical")};

bool can_be_rented(PricedKind kind) {
  return kind == PricedKind::Rack || kind == PricedKind::Server || kind == PricedKind::Gpu;
}

void read_cable_keys(const ConfigNode& table, PriceEntry& entry) {
  const std::vector<QuantityUnit> lengths = {{"m", 1}, {"km", 1000}};
  if (given(table, "from")) entry.from_metres = read_quantity(table, "from", lengths, "0 m");
  if (given(table, "to")) entry.to_metres = read_quantity(table, "to", lengths, "3 m");
  if (entry.from_metres > entry.to_metres) {
    table.fail("to", "the cable ends before it begins", "`from` is the shorter length");
  }
  if (given(table, "medium")) {
    entry.medium = enum_choice(table, "medium", kMedia, [](std::string_view name) { return name; });
  }
}

PriceEntry read_entry(const ConfigNode& table, PricedKind kind, const PriceBook& book) {
  PriceEntry entry;
  entry.kind = kind;
  entry.names = table.texts("for", "[\"dgx-h100\"]");
  if (entry.names.empty()) {
    table.fail("for", "the entry is for nothing", "name at least one system, GPU or link preset");
  }
  entry.price = find_money(table, "price", book.currency, "", "199000");
  if (can_be_rented(kind)) entry.rent = find_money(table, "rent", book.currency, "/h", "2.95");
  entry.watts = find_watts(table, "power");
  if (kind == PricedKind::Cable) read_cable_keys(table, entry);
  entry.source = table.text_or("source", "");
  if (!entry.source.empty()) entry.date = table.text("date");
  if (entry.source.empty() && given(table, "date")) entry.date = table.text("date");
  if (entry.price && !book.lifetime_hours) {
    table.fail("price", "what is bought is paid off over a lifetime, and the book has none",
               "add lifetime = \"4 years\" at the top of the book");
  }
  if (!entry.price && !entry.rent && !entry.watts && entry.medium.empty()) {
    throw InputError(table.position(), "the entry says nothing", "give `price`, `rent` or `power`");
  }
  return entry;
}

PriceBook read_book(const ConfigNode& root) {
  PriceBook book;
  book.name = root.text("name");
  book.date = root.text("date");
  book.currency = root.text_or("currency", "");
  if (given(root, "lifetime")) {
    book.lifetime_hours = read_quantity(
        root, "lifetime",
        {{"years", kHoursPerYear}, {"year", kHoursPerYear}, {"months", kHoursPerYear / 12}},
        "4 years");
    if (*book.lifetime_hours <= 0) root.fail("lifetime", "a lifetime is above 0", "\"4 years\"");
  }
  book.electricity = find_money(root, "electricity", book.currency, "/kWh", "0.10");
  if (given(root, "prefer")) book.prefer_rent = root.choice("prefer", {"rent", "buy"}) == "rent";
  book.overhead = root.number_or("overhead", 1, 1, 100);
  for (const PricedKind kind : kKinds) {
    for (const ConfigNode& table : root.children(priced_kind_name(kind))) {
      book.entries.push_back(read_entry(table, kind, book));
    }
  }
  return book;
}

}  // namespace

std::string_view priced_kind_name(PricedKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"rack", "server", "gpu", "switch", "cable"};
  return kNames[static_cast<std::size_t>(kind)];
}

const PriceEntry* PriceBook::find(PricedKind kind, std::string_view wanted, double metres) const {
  for (const PriceEntry& entry : entries) {
    if (entry.kind != kind || metres < entry.from_metres || metres > entry.to_metres) continue;
    if (std::find(entry.names.begin(), entry.names.end(), wanted) != entry.names.end()) {
      return &entry;
    }
  }
  return nullptr;
}

PriceBook parse_price_book(std::string_view text, const std::string& file) {
  const ConfigDocument document = ConfigDocument::parse_text(text, file);
  PriceBook book = read_book(document.root());
  document.finish();
  return book;
}

std::vector<std::string> builtin_price_book_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : builtin_price_book_files()) names.emplace_back(file.name);
  return names;
}

PriceBook load_price_book(const std::string& name_or_path) {
  for (const EmbeddedFile& file : builtin_price_book_files()) {
    if (file.name == name_or_path) {
      return parse_price_book(file.text, fmt::format("<price books>/{}.toml", file.name));
    }
  }
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       std::string_view(name_or_path).ends_with(".toml");
  if (!is_path) {
    throw InputError(fmt::format("unknown price book {}", quote_text(name_or_path)),
                     name_hint(name_or_path, builtin_price_book_names()) +
                         "; a file needs a '/' in its path, or the ending .toml");
  }
  return parse_price_book(read_input_file(std::filesystem::path(name_or_path)), name_or_path);
}

}  // namespace ringspan
