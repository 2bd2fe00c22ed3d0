#include "models/cost/port_rates.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

class PortRates {
 public:
  explicit PortRates(const Fabric& fabric) : fabric_(fabric) {}

  std::vector<double> run() {
    const auto ports = fabric_.ports();
    std::vector<double> rates;
    rates.reserve(ports.size());
    for (std::uint32_t port = 0; port < ports.size(); ++port) note_partner(port);
    for (std::uint32_t port = 0; port < ports.size(); ++port) rates.push_back(rate_of(port));
    return rates;
  }

 private:
  // The first port of a rail, and the first of the rail in another domain.
  struct Partners {
    std::optional<std::uint32_t> first, second;
  };

  void note_partner(std::uint32_t port) {
    note_partner(all_, port);
    const auto rail = static_cast<std::size_t>(fabric_.ports()[port].rail);
    if (of_rail_.size() <= rail) of_rail_.resize(rail + 1);
    note_partner(of_rail_[rail], port);
  }

  void note_partner(Partners& partners, std::uint32_t port) const {
    if (!partners.first) {
      partners.first = port;
    } else if (!partners.second && domain(*partners.first) != domain(port)) {
      partners.second = port;
    }
  }

  std::int32_t domain(std::uint32_t port) const { return fabric_.ports()[port].domain; }

  std::optional<std::uint32_t> partner(const Partners& partners, std::uint32_t port) const {
    return domain(*partners.first) == domain(port) ? partners.second : partners.first;
  }

  // Even routes use all cables of a port; its own are the first stage. On the port's own rail,
  // since a rail-only fabric joins no others.
  double rate_of(std::uint32_t port) {
    std::optional<std::uint32_t> to =
        partner(of_rail_[static_cast<std::size_t>(fabric_.ports()[port].rail)], port);
    if (!to) to = partner(all_, port);
    if (!to) return kUnlimitedRate;
    try {
      fabric_.even_ends({port, *to, 0}, route_);
    } catch (const InputError&) {
      return kUnlimitedRate;
    }
    double rate = 0;
    for (const FabricUse& use : route_.uses) {
      if (use.stage != route_.uses.front().stage) break;
      rate += nominal(use.link);
    }
    return std::min(rate, kUnlimitedRate);
  }

  // A link's description is text; links alike in preset and payload are described once.
  double nominal(std::uint32_t link) {
    const std::string_view preset = fabric_.preset(link);
    const Bandwidth payload = fabric_.payload(link);
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& entry) {
      return entry.payload == payload && entry.preset == preset;
    });
    if (known != known_.end()) return known->nominal;
    const FabricLink description = fabric_.link(link);
    const double rate = description.tier == "port"
                            ? static_cast<double>(description.nominal.bits_per_second)
                            : kUnlimitedRate;
    known_.push_back({preset, payload, rate});
    return rate;
  }

  struct Known {
    std::string_view preset;
    Bandwidth payload;
    double nominal = 0;
  };

  const Fabric& fabric_;
  FabricRoute route_;
  Partners all_;
  std::vector<Partners> of_rail_;
  std::vector<Known> known_;
};

}  // namespace

std::vector<double> port_rates(const Fabric& fabric) { return PortRates(fabric).run(); }

}  // namespace ringspan
