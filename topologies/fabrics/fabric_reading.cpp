#include "topologies/fabrics/fabric_reading.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/decimal.h"
#include "sim/base/input_error.h"
#include "sim/base/quantity.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

constexpr std::int64_t kFibrePicosecondsPerMetre = 5'000;
constexpr std::int64_t kMostMetres = 1'000'000;

std::vector<std::string> network_presets(const LinkPresets& presets) {
  std::vector<std::string> names;
  for (const LinkPreset& preset : presets.all()) {
    if (preset.link_class == LinkClass::Network) names.push_back(preset.name);
  }
  return names;
}

// A cable of the file's own: no preset may be called that.
constexpr std::string_view kCustom = "custom";

FabricCable read_custom_cable(const ConfigNode& config, std::string_view key) {
  constexpr Bandwidth kLeast{8'000'000};  // 1 MB/s, as for links in a server
  constexpr Duration kMost = microseconds(1'000'000);
  const ConfigNode table = config.child(fmt::format("custom_{}", key));
  FabricCable cable;
  cable.nominal = table.bandwidth("rate");
  if (cable.nominal < kLeast) table.fail("rate", "this is no rate of a cable", "from 1 MB/s");
  cable.efficiency = table.number_or("efficiency", 1, 0.001, 1);
  cable.latency = table.duration("latency");
  if (cable.latency > kMost) table.fail("latency", "this is no latency of a cable", "at most 1 s");
  cable.preset = fmt::format("{} {}", kCustom, format_bandwidth(cable.nominal));
  return cable;
}

std::string default_routing(std::string_view preset, const std::vector<std::string>& able) {
  std::string wanted = "ecmp";
  if (preset.starts_with("ib-") || preset.starts_with("slingshot-")) wanted = "adaptive";
  if (preset.starts_with("efa-")) wanted = "spray";
  return std::find(able.begin(), able.end(), wanted) != able.end() ? wanted : able.front();
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

bool fabric_key_given(const ConfigNode& config, std::string_view key) {
  if (config.has(key)) return true;
  config.boolean_or(key, false);
  return false;
}

FabricCable read_fabric_cable(const ConfigNode& config, std::string_view key,
                              const LinkPresets& presets) {
  const std::string name = config.text(key);
  if (name == kCustom) return read_custom_cable(config, key);
  const LinkPreset* preset = presets.find(name);
  if (preset == nullptr) {
    config.fail(key, fmt::format("unknown link preset {}", quote_text(name)),
                name_hint(name, network_presets(presets)));
  }
  if (preset->link_class != LinkClass::Network) {
    config.fail(key,
                fmt::format("a fabric is made of network links; '{}' is of class {}", preset->name,
                            link_class_name(preset->link_class)),
                name_hint(name, network_presets(presets)));
  }
  return {preset->name, preset->nominal, preset->efficiency, preset->latency};
}

FabricCable read_fabric_cable_or(const ConfigNode& config, std::string_view key,
                                 const LinkPresets& presets, const FabricCable& fallback) {
  return fabric_key_given(config, key) ? read_fabric_cable(config, key, presets) : fallback;
}

Duration read_cable_delay(const ConfigNode& config, std::string_view key) {
  if (!fabric_key_given(config, key)) return {};
  const std::string written = config.text(key);
  const std::string_view text = without_blanks(written);
  const DecimalScan number = scan_decimal(text);
  if (number.status != DecimalStatus::Ok || number.value.negative) {
    config.fail(key, fmt::format("{} is no length", quote_text(written)),
                "write metres, such as \"30 m\"");
  }
  const std::string_view unit = without_blanks(text.substr(number.length));
  if (unit != "m" && unit != "km") {
    config.fail(key, fmt::format("{} has no unit of length", quote_text(written)),
                fmt::format("write metres or kilometres: \"{} m\"", text.substr(0, number.length)));
  }
  const std::int64_t metres = unit == "km" ? 1'000 : 1;
  const ScaledInteger delay = scale_decimal(number.value, metres * kFibrePicosecondsPerMetre, 1);
  if (!delay.fits || delay.value > kMostMetres * kFibrePicosecondsPerMetre) {
    config.fail(key, fmt::format("{} is no length of a cable", quote_text(written)),
                "at most 1000 km");
  }
  return picoseconds(delay.value);
}

Duration read_nic_latency(const ConfigNode& config) {
  constexpr Duration kDefault = nanoseconds(370);
  constexpr Duration kMost = microseconds(1'000'000);
  const Duration latency = config.find_duration("nic_latency").value_or(kDefault);
  if (latency > kMost) config.fail("nic_latency", "this is no latency of a NIC", "at most 1 s");
  return latency;
}

FabricRouting read_fabric_routing(const ConfigNode& config, std::string_view port_preset,
                                  std::uint64_t seed, const std::vector<std::string>& able,
                                  const std::string& reason) {
  const Registry<PathChoiceFactory> choices = builtin_path_choices();
  const std::string name = fabric_key_given(config, "routing")
                               ? config.choice("routing", choices.names())
                               : default_routing(port_preset, able);
  if (std::find(able.begin(), able.end(), name) == able.end()) {
    config.fail("routing", fmt::format("routing '{}' does not work here: {}", name, reason),
                fmt::format("one of: {}", fmt::join(able, ", ")));
  }
  if (fabric_key_given(config, "seed")) {
    seed = static_cast<std::uint64_t>(
        config.integer("seed", 0, std::numeric_limits<std::int64_t>::max()));
  }
  return {name, choices.at(name).factory(seed)};
}

}  // namespace ringspan
