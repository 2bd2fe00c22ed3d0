#pragma once

// What a design is made of, counted from its system, and what that costs and draws by a price book.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/study/price_book.h"
#include "models/links/link_preset.h"
#include "topologies/builders/system.h"

namespace ringspan {

enum class BillItem { Rack, Server, Gpu, Nic, NvSwitch, Switch, Cable };

std::string_view bill_item_name(BillItem item);  // "rack", ..., "NIC", "NVSwitch"

struct BillLine {
  BillItem item = BillItem::Server;
  std::string name;   // system, GPU model, or the preset of the link
  std::string place;  // of switches and cables: "leaf", "leaf-spine"
  std::int64_t count = 0;
  std::int64_t ports = 0;  // of switches: those in use, all together
  double metres = 0;       // of a cable; 0: the system does not say
  std::string medium;      // of a cable, as the price book says: "copper", "optical"; empty
};

// The whole system, whether or not all of it takes part. Dead parts are not counted; what is
// inside a server (switches of PCIe, cables) is the server's.
std::vector<BillLine> bill_of(const System& system, const LinkPresets& presets);

// What one line is worth, and where that is from.
struct PricedLine {
  BillLine line;
  std::optional<double> price, rent, watts;  // of one
  std::string source;                        // "own figure" without one; empty: no entry
};

struct DesignCost {
  std::string book, currency;
  std::vector<PricedLine> lines;
  bool rented = false;
  std::optional<double> purchase;    // of everything that has a price
  std::optional<double> per_hour;    // rent, or purchase over lifetime, and energy
  std::optional<double> watts;       // of everything that has a figure, `overhead` included
  std::vector<std::string> missing;  // what is not in these figures: "price of 12 cables ib-ndr"
  bool cost_incomplete = false, power_incomplete = false;
};

// Machines are rented or bought as racks where the book has them, else as servers, else by the GPU.
// A rent is all there is to pay; else machines, switches and cables are bought and energy is paid.
// Without a figure for the machines there is none for the whole; without one for switches or cables
// it is incomplete. Where GPUs are rented one by one, it is the `gpus` that take part.
DesignCost cost_of(std::vector<BillLine> bill, const PriceBook& book, int gpus);

}  // namespace ringspan
