#include "topologies/builders/rate_reading.h"

#include <fmt/format.h>

#include "sim/base/quantity.h"

namespace ringspan {

namespace {

// "f.toml:12" or "--set KEY", so that a note can be found again.
std::string place(const SourcePosition& where) {
  return where.line > 0 ? fmt::format("{}:{}", where.file, where.line) : where.file;
}

// Empty for what is no text: the typed getters below say what is wrong with it.
std::string written_text(const ConfigNode& node, std::string_view key) {
  try {
    return node.text(key);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

WrittenRate read_rate(const ConfigNode& node, std::string_view key) {
  const std::string text = written_text(node, key);
  if (text.ends_with("T/s")) return {{}, node.transfers(key), std::nullopt};
  const ParsedBandwidth parsed = node.parsed_bandwidth(key);
  WrittenRate rate{parsed.per_direction, 0, std::nullopt};
  if (parsed.bidirectional) {
    rate.note = fmt::format("{}: {} = \"{}\" counts both directions: {} in each",
                            place(node.position_of(key)), key, text,
                            format_bandwidth(parsed.per_direction));
  }
  return rate;
}

double pcie_coding(std::int64_t transfers) {
  constexpr std::int64_t kGiga = 1'000'000'000;
  if (transfers <= 5 * kGiga) return 8.0 / 10.0;
  if (transfers <= 32 * kGiga) return 128.0 / 130.0;
  return 236.0 / 256.0;
}

}  // namespace ringspan
