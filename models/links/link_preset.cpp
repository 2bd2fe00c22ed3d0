#include "models/links/link_preset.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "sim/base/quote.h"
#include "sim/config/config_node.h"

namespace ringspan {

namespace {

constexpr int kPcieLanes = 16;

// nominal = raw x numerator / denominator, kept as a fraction: 26.5625 GB/s x 16/17 is exactly
// NVLink 4's 25 GB/s.
struct Coding {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;
};

// "128/130", both at most this: raw x numerator then stays far below 2^127.
constexpr std::int64_t kLargestCodingTerm = 1'000'000;

std::optional<std::int64_t> coding_term(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < 1 || value > kLargestCodingTerm) return {};
  return value;
}

Coding read_coding(const ConfigNode& node) {
  const std::string text = node.text_or("coding", "1/1");
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const std::string_view view = text;
    const auto numerator = coding_term(view.substr(0, slash));
    const auto denominator = coding_term(view.substr(slash + 1));
    if (numerator && denominator && *numerator <= *denominator) return {*numerator, *denominator};
  }
  node.fail("coding", fmt::format("{} is not a share of at most 1", quote_text(text)),
            "write two whole numbers, for example \"128/130\"");
}

// To the nearest bit/s.
Bandwidth coded(Bandwidth raw, const Coding& coding) {
  __extension__ using Wide = __int128;
  const Wide denominator = coding.denominator;
  const Wide product = static_cast<Wide>(raw.bits_per_second) * coding.numerator;
  return {static_cast<std::int64_t>((product + denominator / 2) / denominator)};
}

LinkClass read_class(const ConfigNode& node) {
  std::vector<std::string> names;
  names.reserve(kAllLinkClasses.size());
  for (const LinkClass link_class : kAllLinkClasses) {
    names.emplace_back(link_class_name(link_class));
  }
  const std::string name = node.choice("class", names);
  std::size_t index = 0;
  while (names[index] != name) ++index;
  return kAllLinkClasses[index];
}

// A PCIe lane carries one bit per transfer.
Bandwidth read_raw(const ConfigNode& node, LinkClass link_class) {
  if (link_class == LinkClass::Pcie) return {node.transfers("raw")};
  return node.bandwidth("raw");
}

LinkPreset read_preset(const ConfigNode& node) {
  LinkPreset preset;
  preset.name = node.text("name");
  preset.description = node.text("description");
  preset.link_class = read_class(node);
  preset.raw = read_raw(node, preset.link_class);
  preset.nominal = coded(preset.raw, read_coding(node));
  preset.efficiency = node.number("efficiency", 0, 1);
  if (preset.efficiency <= 0) {
    node.fail("efficiency", "'efficiency' must be above zero", "write a share of at most 1");
  }
  preset.latency = node.duration("latency");
  const bool pcie = preset.link_class == LinkClass::Pcie;
  preset.default_lanes = static_cast<int>(pcie ? node.integer_or("lanes", kPcieLanes, 1, 32)
                                               : node.integer_or("lanes", 1, 1, 1));
  preset.source = node.text("source");
  return preset;
}

}  // namespace

LinkPresets LinkPresets::from_config(const ConfigNode& root) {
  LinkPresets presets;
  for (const ConfigNode& node : root.children("link")) {
    LinkPreset preset = read_preset(node);
    if (presets.find(preset.name) != nullptr) {
      node.fail("name", fmt::format("a second link kind is named {}", quote_text(preset.name)),
                "give each [[link]] a name of its own");
    }
    presets.presets_.push_back(std::move(preset));
  }
  return presets;
}

const LinkPreset* LinkPresets::find(std::string_view name) const {
  for (const LinkPreset& preset : presets_) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

std::vector<std::string> LinkPresets::names() const {
  std::vector<std::string> names;
  for (const LinkPreset& preset : presets_) names.push_back(preset.name);
  return names;
}

}  // namespace ringspan
