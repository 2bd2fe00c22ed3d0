#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"
#include "topologies/import/plan_parts.h"

namespace ringspan {

namespace {

constexpr std::int64_t kLeastMegabits = 10;        // the least that a system file takes is 8
constexpr std::int64_t kUnknownMegabits = 10'000;  // what NCCL takes where a NIC tells no speed

std::string rate_text(std::int64_t megabits) {
  constexpr std::int64_t kMegabitsPerGigabit = 1'000;
  return megabits % kMegabitsPerGigabit == 0
             ? fmt::format("{} Gbit/s", megabits / kMegabitsPerGigabit)
             : fmt::format("{} Mbit/s", megabits);
}

// The port that such a PCIe link was made for.
std::int64_t megabits_of_link(PcieSpeed speed) {
  constexpr std::int64_t kGiga = 1'000'000'000;
  if (speed.transfers >= 64 * kGiga) return 800'000;
  if (speed.transfers >= 32 * kGiga) return 400'000;
  if (speed.transfers >= 16 * kGiga) return 200'000;
  return 100'000;
}

std::string_view family_of(const PortSite& site) {
  constexpr std::uint32_t kAmazon = 0x1d0f, kInfiniBand = 0x0207;
  if (site.adapter == nullptr) return "eth-";
  if (site.adapter->vendor == kAmazon) return "efa-";
  return site.adapter->pci_class >> 8 == kInfiniBand ? "ib-" : "eth-";
}

class Planner {
 public:
  Planner(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan)
      : input_(input), sites_(sites), plan_(plan) {}

  void run() {
    if (input_.options.nic_link) check(*input_.options.nic_link);
    if (sites_.ports.empty()) {
      input_.notes.add("no NIC: the system is one server without a network");
      return;
    }
    find_speeds();
    add_nics();
    plan_.port_link = input_.options.nic_link.value_or("");
    if (plan_.port_link.empty()) choose_preset();
    choose_gpu_direct();
  }

 private:
  void check(const std::string& name) const {
    const LinkPreset* preset = input_.presets.find(name);
    if (preset != nullptr && preset->link_class == LinkClass::Network) return;
    std::vector<std::string> names;
    for (const LinkPreset& one : input_.presets.all()) {
      if (one.link_class == LinkClass::Network) names.push_back(one.name);
    }
    throw InputError(fmt::format("{} is no preset of a network link", quote_text(name)),
                     name_hint(name, names));
  }

  void note(const PortSite& site, std::string text) {
    input_.notes.add(site.port.where.line, site.port.where.column, std::move(text));
  }

  void find_speeds() {
    for (const PortSite& site : sites_.ports) {
      std::int64_t speed = site.port.megabits_per_second;
      if (speed == 0 && input_.topology.is_template && site.adapter != nullptr &&
          site.adapter->ports.empty()) {
        speed = megabits_of_link(site.adapter->speed);
        note(site, fmt::format("a NIC without <net>: taken as one port of {}, as its PCIe link "
                               "carries; --nic-link NAME takes another",
                               rate_text(speed)));
      } else if (speed == 0) {
        speed = kUnknownMegabits;
        note(site, fmt::format("a port without speed: taken as {}, as NCCL does; --nic-link NAME "
                               "takes another",
                               rate_text(speed)));
      }
      speeds_.push_back(std::max(speed, kLeastMegabits));
    }
    fastest_ = *std::max_element(speeds_.begin(), speeds_.end());
  }

  // NCCL uses the fastest ports that a GPU can reach; our fabric has ports of one rate.
  void add_nics() {
    for (std::size_t i = 0; i < sites_.ports.size(); ++i) {
      const PortSite& site = sites_.ports[i];
      PlanNic nic;
      if (speeds_[i] < fastest_) {
        nic.network = "management";
        note(site,
             "a port slower than the fastest: on the network \"management\", which "
             "collectives do not use");
      }
      nic.comment = harmless_text(site.port.name);
      if (site.adapter != nullptr) {
        nic.comment += (nic.comment.empty() ? "" : " ") + format_pci_address(site.adapter->address);
      }
      plan_.nics.push_back(std::move(nic));
    }
  }

  // The slowest preset of the first fast port's family that carries its rate, else the fastest.
  void choose_preset() {
    const auto first = std::find(speeds_.begin(), speeds_.end(), fastest_);
    const PortSite& site = sites_.ports[static_cast<std::size_t>(first - speeds_.begin())];
    const std::string_view family = family_of(site);
    const Bandwidth wanted{fastest_ * 1'000'000};
    const LinkPreset* best = nullptr;
    for (const LinkPreset& preset : input_.presets.all()) {
      if (!preset.name.starts_with(family)) continue;
      const bool carries = preset.nominal.bits_per_second >= wanted.bits_per_second / 1'000 * 999;
      const bool best_carries =
          best != nullptr && best->nominal.bits_per_second >= wanted.bits_per_second / 1'000 * 999;
      const bool better = best == nullptr || (carries && !best_carries) ||
                          (carries ? preset.nominal < best->nominal
                                   : !best_carries && best->nominal < preset.nominal);
      if (better) best = &preset;
    }
    plan_.port_link = best->name;
    const std::int64_t hundredth = wanted.bits_per_second / 100;
    if (best->nominal.bits_per_second - wanted.bits_per_second > hundredth) {
      plan_.port_rate = rate_text(fastest_);
    } else if (wanted.bits_per_second - best->nominal.bits_per_second > hundredth) {
      note(site,
           fmt::format("no preset has {}: ports are taken as {}; --nic-link NAME takes another",
                       rate_text(fastest_), best->name));
    }
    for (const PortSite& other : sites_.ports) {
      if (family_of(other) == family) continue;
      note(other,
           fmt::format("a port of another kind than the first: taken as {} too", best->name));
    }
  }

  void choose_gpu_direct() {
    std::size_t with = 0, of = 0;
    for (std::size_t i = 0; i < sites_.ports.size(); ++i) {
      if (speeds_[i] < fastest_) continue;
      ++of;
      with += sites_.ports[i].port.gpu_direct ? 1 : 0;
    }
    if (with == 0 && plan_.gpu_direct.empty()) {
      plan_.gpu_direct = "off";
      input_.notes.add("no NIC has gdr=\"1\": gpu_direct = \"off\"");
    } else if (with > 0 && with < of) {
      input_.notes.add("some NICs have gdr=\"0\": all are taken with GPUDirect RDMA");
    }
  }

  const ServerPlanInput& input_;
  const ServerSites& sites_;
  ServerPlan& plan_;
  std::vector<std::int64_t> speeds_;  // Mbit/s, by port
  std::int64_t fastest_ = 0;
};

}  // namespace

void plan_nics(const ServerPlanInput& input, const ServerSites& sites, ServerPlan& plan) {
  Planner(input, sites, plan).run();
}

}  // namespace ringspan
