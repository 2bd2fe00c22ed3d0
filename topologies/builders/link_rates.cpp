#include "topologies/builders/link_rates.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "sim/base/quantity.h"
#include "topologies/builders/config_reading.h"
#include "topologies/builders/limits.h"
#include "topologies/builders/rate_reading.h"

namespace ringspan {

namespace {

constexpr int kDefaultLanes = 16;

const LinkPreset& find_preset(const ConfigNode& table, const LinkPresets& presets) {
  const std::string name = table.text("link");
  if (given(table, "class")) {
    table.fail("class", fmt::format("the preset '{}' has a class already", name),
               "remove class, or remove link and give class, rate and latency");
  }
  if (const LinkPreset* preset = presets.find(name)) return *preset;
  table.fail("link", fmt::format("unknown link preset '{}'", name),
             name_hint(name, presets.names()));
}

LinkClass read_class(const ConfigNode& table) {
  if (!given(table, "class")) table.text("link");  // says that it is missing
  return enum_choice(table, "class", kAllLinkClasses, link_class_name);
}

// PCIe bundles lanes, every other class bundles links.
int read_width(const ConfigNode& table, LinkClass link_class, int default_lanes,
               std::string_view count_key) {
  if (link_class != LinkClass::Pcie) {
    if (table.has("lanes")) {
      table.fail("lanes",
                 fmt::format("a link of class {} has no lanes", link_class_name(link_class)),
                 fmt::format("write {} = N for N parallel links", count_key));
    }
    return static_cast<int>(table.integer_or(count_key, 1, 1, kMaxParallelLinks));
  }
  if (table.has(count_key)) {
    table.fail(count_key, "a PCIe link is one link of several lanes", "write lanes = 16");
  }
  constexpr std::array<std::int64_t, 7> kWidths = {1, 2, 4, 8, 12, 16, 32};
  const std::int64_t lanes = table.integer_or("lanes", default_lanes, 1, kWidths.back());
  if (std::find(kWidths.begin(), kWidths.end(), lanes) == kWidths.end()) {
    table.fail("lanes", fmt::format("PCIe has no x{} link", lanes), "1, 2, 4, 8, 12, 16 or 32");
  }
  return static_cast<int>(lanes);
}

void check_rate(const ConfigNode& table, Bandwidth rate) {
  if (rate < kMinLinkRate || rate > kMaxLinkRate) {
    table.fail("rate", fmt::format("{} is no rate of a link", format_bandwidth(rate)),
               fmt::format("from {} to {} per direction, after lanes or count",
                           format_bandwidth(kMinLinkRate), format_bandwidth(kMaxLinkRate)));
  }
}

// `rate` replaces the preset's: "32 GT/s" per lane of PCIe, else what one link carries after
// coding. The share that coding takes stays the preset's.
void apply_rate(const ConfigNode& table, Link& link, std::vector<std::string>& notes) {
  const WrittenRate written = read_rate(table, "rate");
  if (written.note) notes.push_back(*written.note);
  if (written.transfers != 0) {
    if (link.link_class != LinkClass::Pcie) {
      table.fail("rate",
                 fmt::format("GT/s counts the transfers of a PCIe lane; this link's class is {}",
                             link_class_name(link.link_class)),
                 "write what one link carries per direction, such as \"25 GB/s\"");
    }
    check_rate(table, {written.transfers});
    link.raw = Bandwidth{written.transfers} * link.count;
    link.nominal = scaled(link.raw, pcie_coding(written.transfers));
    return;
  }
  check_rate(table, written.per_direction);
  // A PCIe rate is that of the whole link: nobody says "2 GB/s x 16".
  const std::int64_t links = link.link_class == LinkClass::Pcie ? 1 : link.count;
  const double raw_per_nominal = link.nominal.bits_per_second == 0
                                     ? 1.0
                                     : static_cast<double>(link.raw.bits_per_second) /
                                           static_cast<double>(link.nominal.bits_per_second);
  link.nominal = written.per_direction * links;
  link.raw = scaled(link.nominal, raw_per_nominal);
}

void read_latency(const ConfigNode& table, Link& link) {
  link.latency = table.duration("latency");
  if (link.latency > kMaxLinkLatency) {
    table.fail("latency", fmt::format("{} is no latency of a link", format_duration(link.latency)),
               "at most 1 s");
  }
}

}  // namespace

Link read_link_rates(const ConfigNode& table, const LinkPresets& presets,
                     std::vector<std::string>& notes, std::string_view count_key) {
  Link link;
  if (given(table, "link")) {
    const LinkPreset& preset = find_preset(table, presets);
    link.link_class = preset.link_class;
    link.preset = preset.name;
    link.count = read_width(table, link.link_class, preset.default_lanes, count_key);
    link.raw = preset.raw * link.count;
    link.nominal = preset.nominal * link.count;
    link.efficiency = preset.efficiency;
    link.latency = preset.latency;
  } else {
    link.link_class = read_class(table);
    link.preset = "custom";
    link.count = read_width(table, link.link_class, kDefaultLanes, count_key);
  }
  const bool custom = link.preset == "custom";
  if (custom || given(table, "rate")) apply_rate(table, link, notes);
  if (custom || given(table, "latency")) read_latency(table, link);
  link.efficiency = table.number_or("efficiency", link.efficiency, 0.001, 1.0);
  check_rate(table, link.nominal);
  return link;
}

}  // namespace ringspan
