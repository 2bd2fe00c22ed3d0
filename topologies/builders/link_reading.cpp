#include "topologies/builders/link_reading.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/limits.h"
#include "topologies/builders/link_rates.h"

namespace ringspan {

namespace {

// Which devices are connected (union-find with path halving).
class Components {
 public:
  explicit Components(std::size_t devices) : parent_(devices) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t find(NodeId id) {
    std::uint32_t at = id.value;
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }
  void join(NodeId a, NodeId b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

std::vector<std::string> read_patterns(const ConfigNode& table, std::string_view key) {
  try {
    return {table.text(key)};
  } catch (const InputError&) {
    if (!table.has(key)) throw;
    return table.texts(key);
  }
}

// The devices of `from` or `to`, each once.
std::vector<NodeId> read_ends(const ConfigNode& table, std::string_view key,
                              const DeviceNames& names) {
  std::vector<NodeId> ends;
  std::vector<bool> seen(names.size());
  for (const std::string& pattern : read_patterns(table, key)) {
    for (NodeId id : at_key(table, key, [&] { return names.expand(pattern); })) {
      if (seen[id.index()]) {
        table.fail(key, fmt::format("'{}' is named twice", names.name(id)),
                   "name every device once; use count for parallel links");
      }
      seen[id.index()] = true;
      ends.push_back(id);
    }
  }
  if (ends.empty()) table.fail(key, "no device is named", "such as \"gpu*\"");
  return ends;
}

enum class Pairs { All, Each, Mesh };

Pairs read_pairs(const ConfigNode& table) {
  if (!given(table, "pairs")) return Pairs::All;
  const std::string written = table.choice("pairs", {"all", "each", "mesh"});
  return written == "all" ? Pairs::All : written == "each" ? Pairs::Each : Pairs::Mesh;
}

// One [[node.link]] table and the state it is added to.
class LinkTable {
 public:
  LinkTable(const ConfigNode& table, const DeviceNames& names) : table_(table), names_(names) {
    pairs_ = read_pairs(table);
    from_ = read_ends(table, "from", names);
    if (pairs_ == Pairs::Mesh) {
      if (table.has("to")) {
        table.fail("to", "pairs = \"mesh\" links the devices of `from` with each other",
                   "remove to");
      }
    } else {
      to_ = read_ends(table, "to", names);
    }
    if (pairs_ == Pairs::Each && from_.size() != to_.size()) {
      table.fail("pairs",
                 fmt::format("pairs = \"each\" needs as many devices in `to` as in `from`: "
                             "there are {} and {}",
                             to_.size(), from_.size()),
                 "name the same number on both sides, or write pairs = \"all\"");
    }
  }

  std::int64_t size() const {
    const std::int64_t from = static_cast<std::int64_t>(from_.size());
    if (pairs_ == Pairs::Mesh) return from * (from - 1) / 2;
    return pairs_ == Pairs::Each ? from : from * static_cast<std::int64_t>(to_.size());
  }

  template <typename Add>
  void for_each_pair(Add add) const {
    for (std::size_t i = 0; i < from_.size(); ++i) {
      if (pairs_ == Pairs::Each) {
        link(from_[i], to_[i], add);
        continue;
      }
      const std::vector<NodeId>& others = pairs_ == Pairs::Mesh ? from_ : to_;
      for (std::size_t j = pairs_ == Pairs::Mesh ? i + 1 : 0; j < others.size(); ++j) {
        link(from_[i], others[j], add);
      }
    }
  }

 private:
  template <typename Add>
  void link(NodeId a, NodeId b, Add add) const {
    if (a == b) {
      table_.fail("to", fmt::format("'{}' is linked to itself", names_.name(a)),
                  "pairs = \"mesh\" links the devices of `from` with each other");
    }
    add(a, b);
  }

  const ConfigNode& table_;
  const DeviceNames& names_;
  Pairs pairs_ = Pairs::All;
  std::vector<NodeId> from_, to_;
};

void check_link_limit(const ConfigNode& table, std::int64_t so_far, std::int64_t more) {
  if (more <= kMaxLinks - so_far) return;
  table.fail("from", fmt::format("{} links are too many for one server", more),
             so_far == 0 ? fmt::format("at most {}; put switches between the devices", kMaxLinks)
                         : fmt::format("at most {} in all; {} stand above", kMaxLinks, so_far));
}

}  // namespace

void read_links(const ConfigNode& node, const LinkPresets& presets, const DeviceList& devices,
                DomainDraft& draft, std::vector<std::string>& notes) {
  std::int64_t links = 0;
  for (const ConfigNode& table : node.children("link")) {
    const LinkTable ends(table, devices.names);
    const auto link = static_cast<std::uint32_t>(draft.links.size());
    draft.links.push_back(read_link_rates(table, presets, notes));
    check_link_limit(table, links, ends.size());
    links += ends.size();
    ends.for_each_pair([&](NodeId a, NodeId b) { draft.cables.push_back({a, b, link, false}); });
  }
}

void check_reach(const ConfigNode& node, const DeviceList& devices, const DomainDraft& draft) {
  Components components(draft.devices.size());
  for (const Cable& cable : draft.cables) components.join(cable.a, cable.b);
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> cut_off;
  const NodeId first = devices.gpus.front();
  for (NodeId gpu : devices.gpus) {
    if (components.find(gpu) != components.find(first)) cut_off.push_back(devices.names.name(gpu));
  }
  if (cut_off.empty()) return;
  const std::size_t count = cut_off.size();
  std::string named;
  for (std::size_t i = 0; i < std::min(count, kNamed); ++i) {
    named += (i == 0 ? "" : ", ") + cut_off[i];
  }
  if (count > kNamed) named += fmt::format(" and {} more", count - kNamed);
  node.fail("link", fmt::format("no links lead from {} to {}", devices.names.name(first), named),
            "add [[node.link]] tables until every GPU reaches every other one");
}

}  // namespace ringspan
