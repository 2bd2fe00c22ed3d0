#include "topologies/builders/fault_reading.h"

#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/decimal.h"
#include "sim/base/quote.h"
#include "topologies/builders/config_reading.h"
#include "topologies/builders/device_finder.h"
#include "topologies/builders/domain_edit.h"
#include "topologies/builders/fault_text.h"

namespace ringspan {

namespace {

constexpr std::int64_t kMostCables = 1'000'000;

// "50%" at `rate`, as a share; -1: no such text.
double read_percent(std::string_view text) {
  const DecimalScan scan = scan_decimal(text);
  if (scan.status != DecimalStatus::Ok || scan.value.negative) return -1;
  text.remove_prefix(scan.length);
  if (text != "%" && text != " %") return -1;
  constexpr std::int64_t kMillionth = 10'000;  // of a percent: a share in millionths
  const ScaledInteger share = scale_decimal(scan.value, kMillionth, 1);
  if (!share.fits || share.value > 1'000'000) return -1;
  return static_cast<double>(share.value) / 1e6;
}

// What is left, as a share; dead unless it is said.
double read_rate_left(const ConfigNode& table) {
  if (!given(table, "rate")) return 0;
  std::string text;
  try {
    text = table.text("rate");
  } catch (const InputError&) {
    return table.number("rate", 0, 1);
  }
  const double share = read_percent(text);
  if (share < 0) {
    table.fail("rate", fmt::format("{} is no share of a rate", quote_text(text)),
               "what is left: \"50%\" or 0.5; 0 is dead");
  }
  return share;
}

constexpr std::array<std::string_view, 4> kSubjects = {"switch", "nic", "gpu", "from"};

// A key that is nearly one of what a fault can name.
void refuse_misspelt(const ConfigNode& table) {
  const std::vector<std::string> subjects(kSubjects.begin(), kSubjects.end());
  for (const std::string& key : table.keys()) {
    const std::string meant = nearest_name(key, subjects);
    if (meant.empty() || key == "to") continue;
    table.fail(key, fmt::format("unknown key {} in [[fault]]", quote_text(key)),
               fmt::format("did you mean {}?", quote_text(meant)));
  }
}

// The one thing a fault names.
std::string_view read_subject(const ConfigNode& table) {
  std::vector<std::string_view> said;
  for (const std::string_view key : kSubjects) {
    if (given(table, key)) said.push_back(key);
  }
  // All keys of a fault are asked for, so that an unknown one is answered with all of them.
  for (const std::string_view key : {"to", "cables", "rate", "network"}) given(table, key);
  if (said.empty()) refuse_misspelt(table);
  if (said.empty()) {
    table.fail("switch", "the fault names nothing",
               "add switch, nic or gpu = \"NAME\", or from and to");
  }
  if (said.size() > 1) {
    table.fail(said[1], fmt::format("a fault is of one thing: {} is given already", said[0]),
               "write a [[fault]] for each");
  }
  return said.front();
}

class FaultReader {
 public:
  FaultReader(const std::vector<std::string>& networks, std::int64_t file_servers,
              ClusterDraft& draft)
      : networks_(networks), draft_(draft), finder_(draft, file_servers) {}

  void read(const ConfigNode& table) {
    const std::string_view subject = read_subject(table);
    const double rate = read_rate_left(table);
    read_.all.push_back({table.position(), fault_text(table, subject, rate), -1, {}});
    if (subject == "from") {
      read_link(table, rate);
    } else if (finder_.left_out(table, subject)) {
      leave_out(table.text(subject));
    } else if (const std::optional<DevicePlace> place = finder_.find(table, subject)) {
      read_device(table, subject, *place, rate);
    } else if (subject == "switch") {
      FabricFault fault{table, table.text("switch"), {}, {}, 0, rate};
      add_network_fault(read_network(table), std::move(fault));
    } else {
      table.fail(subject, fmt::format("there is no {}", quote_text(table.text(subject))),
                 fmt::format("a device is named with its server: \"server0.{}0\"", subject));
    }
  }

  ReadFaults take() { return std::move(read_); }

  // Domains that are hit alike share a kind.
  void apply_to_domains() {
    using Edits = std::vector<DomainEdit>;
    std::map<std::pair<std::int32_t, Edits>, std::int32_t> known;
    for (const auto& [domain, faults] : by_domain_) {
      std::int32_t& kind = draft_.kind_of_domain[static_cast<std::size_t>(domain)];
      Edits edits;
      for (const DomainFault& fault : faults) edits.push_back(fault.edit);
      const auto [entry, added] = known.try_emplace({kind, std::move(edits)}, 0);
      if (added) entry->second = add_kind(kind, faults);
      kind = entry->second;
    }
  }

 private:
  struct DomainFault {
    ConfigNode table;
    DomainEdit edit;
  };

  const DomainDraft& kind_of(std::int32_t domain) const {
    const auto index = static_cast<std::size_t>(domain);
    return draft_.kinds[static_cast<std::size_t>(draft_.kind_of_domain[index])];
  }
  const Device& device(const DevicePlace& place) const {
    return kind_of(place.domain).devices[place.device.index()];
  }

  std::string read_network(const ConfigNode& table) const {
    return given(table, "network") ? table.choice("network", networks_) : kComputeNetwork;
  }

  void check_kind(const ConfigNode& table, std::string_view key, const DevicePlace& place) const {
    const DeviceKind kind = device(place).kind;
    const bool fits = key == "nic" ? kind == DeviceKind::Nic
                      : key == "gpu"
                          ? kind == DeviceKind::Gpu
                          : kind == DeviceKind::NvSwitch || kind == DeviceKind::PcieSwitch;
    if (fits) return;
    table.fail(key,
               fmt::format("{} is a {}, not a {}", quote_text(table.text(key)),
                           device_kind_name(kind), key),
               "name a device of that kind");
  }

  void read_device(const ConfigNode& table, std::string_view key, const DevicePlace& place,
                   double rate) {
    check_kind(table, key, place);
    hits(place);
    if (key == "gpu" && rate > 0) {
      table.fail("rate", "a GPU is dead or alive",
                 "make its links slower: from = \"server0.gpu0\" and to");
    }
    if (key == "nic" && rate > 0) {
      table.fail(
          "rate", "a NIC is dead or alive",
          fmt::format("make its cable slower: from = \"{}\" and to = its switch", table.text(key)));
    }
    by_domain_[place.domain].push_back(
        {table, {DomainEdit::What::Device, place.device, {}, 0, rate}});
  }

  void read_link(const ConfigNode& table, double rate) {
    const std::string from = table.text("from"), to = table.text("to");
    const std::int64_t cables =
        given(table, "cables") ? table.integer("cables", 1, kMostCables) : 0;
    std::string network = read_network(table);
    for (const std::string& end : {from, to}) {
      if (finder_.left_out(table, end == from ? "from" : "to")) return leave_out(end);
    }
    const std::optional<DevicePlace> a = finder_.find(table, "from");
    const std::optional<DevicePlace> b = finder_.find(table, "to");
    if (a && b) {
      if (a->domain != b->domain || a->device == b->device) {
        table.fail("to", fmt::format("no link joins {} and {}", quote_text(from), quote_text(to)),
                   "name two devices that a [[node.link]] joins");
      }
      hits(*a);
      const auto [low, high] = std::minmax(a->device, b->device);
      by_domain_[a->domain].push_back({table, {DomainEdit::What::Cables, low, high, cables, rate}});
      return;
    }
    FabricFault fault{table, {}, from, to, cables, rate};
    if (a) network = name_port(table, "from", *a, fault.from);
    if (b) network = name_port(table, "to", *b, fault.to);
    add_network_fault(std::move(network), std::move(fault));
  }

  void add_network_fault(std::string network, FabricFault fault) {
    read_.network.push_back({std::move(network), std::move(fault), read_.all.size() - 1});
  }
  void leave_out(std::string_view name) {
    read_.all.back().left_out =
        fmt::format("this run has no {}", quote_text(name.substr(0, name.find('.'))));
  }
  // Whose device the fault is of.
  void hits(const DevicePlace& place) {
    const std::int32_t server = device(place).server;
    if (server == kNoServer) return;
    read_.all.back().server = draft_.first_server[static_cast<std::size_t>(place.domain)] + server;
  }

  // A fabric knows NICs by their rail. Returns the network.
  std::string name_port(const ConfigNode& table, std::string_view key, const DevicePlace& place,
                        std::string& name) {
    if (device(place).kind != DeviceKind::Nic) {
      table.fail(key,
                 fmt::format("{} is a {}, and no cable of a network ends there", quote_text(name),
                             device_kind_name(device(place).kind)),
                 "a cable leads from a NIC to a switch, or from switch to switch");
    }
    hits(place);
    name = port_of(place);
    return network_of(place);
  }

  std::string network_of(const DevicePlace& place) const {
    return kind_of(place.domain).networks[place.device.index()];
  }

  std::string port_of(const DevicePlace& place) const {
    const NicList list = nics_on(kind_of(place.domain), network_of(place));
    std::size_t i = 0;
    while (list.nics[i] != place.device) ++i;
    const std::int32_t server =
        draft_.first_server[static_cast<std::size_t>(place.domain)] + device(place).server;
    return fmt::format("server{}.nic{}", server, list.rails[i]);
  }

  std::int32_t add_kind(std::int32_t base, const std::vector<DomainFault>& faults) {
    DomainDraft draft = draft_.kinds[static_cast<std::size_t>(base)];
    for (const DomainFault& fault : faults) apply_edit(fault.edit, fault.table, draft);
    if (gpu_count(draft) == 0) {
      throw InputError(faults.back().table.position(), "the fault leaves a domain without a GPU",
                       "lower the count of servers instead");
    }
    const std::size_t kind = draft_.kinds.size();
    draft_.kinds.push_back(std::move(draft));
    draft_.fault_of_kind.emplace(kind, faults.back().table);
    return static_cast<std::int32_t>(kind);
  }

  const std::vector<std::string>& networks_;
  ClusterDraft& draft_;
  DeviceFinder finder_;
  std::map<std::int32_t, std::vector<DomainFault>> by_domain_;
  ReadFaults read_;
};

}  // namespace

ReadFaults apply_faults(const std::vector<ConfigNode>& tables,
                        const std::vector<std::string>& networks, std::int64_t file_servers,
                        ClusterDraft& draft) {
  FaultReader reader(networks, file_servers, draft);
  for (const ConfigNode& table : tables) reader.read(table);
  reader.apply_to_domains();
  return reader.take();
}

}  // namespace ringspan
