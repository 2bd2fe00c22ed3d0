#include "topologies/import/gpu_catalogue.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"
#include "sim/config/config_node.h"
#include "topologies/data/catalogue.h"

namespace ringspan {

namespace {

std::vector<std::uint32_t> read_devices(const ConfigNode& table) {
  std::vector<std::uint32_t> devices;
  if (!table.has("pci_devices")) return devices;
  for (const std::string& text : table.texts("pci_devices", "[\"0x2330\"]")) {
    std::uint32_t device = 0;
    const bool prefixed = text.starts_with("0x");
    const char* begin = text.data() + (prefixed ? 2 : 0);
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(begin, end, device, 16);
    if (!prefixed || error != std::errc{} || stop != end || device > 0xffff) {
      table.fail("pci_devices", fmt::format("{} is no PCI device number", quote_text(text)),
                 "such as \"0x2330\"");
    }
    devices.push_back(device);
  }
  return devices;
}

GpuEntry read_entry(const ConfigNode& table) {
  constexpr int kMostLinks = 1'024;
  GpuEntry entry;
  entry.name = table.text("name");
  entry.compute_capability = static_cast<int>(table.integer("compute_capability", 1, 999));
  table.bytes("memory");  // only to check it
  entry.memory = table.text("memory");
  table.bandwidth("memory_copy");
  entry.memory_copy = table.text("memory_copy");
  entry.pci_devices = read_devices(table);
  entry.nvlink = table.text_or("nvlink", "");
  entry.nvlinks = static_cast<int>(table.integer_or("nvlinks", 0, 0, kMostLinks));
  entry.nvswitches = static_cast<int>(table.integer_or("nvswitches", 0, 0, kMostLinks));
  return entry;
}

}  // namespace

GpuCatalogue GpuCatalogue::from_config(const ConfigNode& root) {
  GpuCatalogue catalogue;
  bool nvlink = false;
  for (const ConfigNode& table : root.children("gpu")) {
    catalogue.entries_.push_back(read_entry(table));
    nvlink = nvlink || !catalogue.entries_.back().nvlink.empty();
  }
  if (!nvlink) root.fail("gpu", "no GPU has NVLink", "add a [[gpu]] with `nvlink`");
  return catalogue;
}

const GpuEntry& GpuCatalogue::at(std::string_view name) const {
  for (const GpuEntry& entry : entries_) {
    if (entry.name == name) return entry;
  }
  throw InputError(fmt::format("unknown GPU {}", quote_text(name)), name_hint(name, names()));
}

const GpuEntry* GpuCatalogue::find_device(std::uint32_t pci_device) const {
  for (const GpuEntry& entry : entries_) {
    const auto& devices = entry.pci_devices;
    if (std::find(devices.begin(), devices.end(), pci_device) != devices.end()) return &entry;
  }
  return nullptr;
}

const GpuEntry& GpuCatalogue::of_capability(int compute_capability) const {
  const GpuEntry* best = nullptr;
  const GpuEntry* lowest = &entries_.front();
  for (const GpuEntry& entry : entries_) {
    if (entry.compute_capability < lowest->compute_capability) lowest = &entry;
    if (entry.compute_capability > compute_capability) continue;
    if (best == nullptr || entry.compute_capability > best->compute_capability) best = &entry;
  }
  return best == nullptr ? *lowest : *best;
}

const std::string& GpuCatalogue::nvlink_of_capability(int compute_capability) const {
  const GpuEntry* best = nullptr;
  const GpuEntry* lowest = nullptr;
  for (const GpuEntry& entry : entries_) {
    if (entry.nvlink.empty()) continue;
    if (lowest == nullptr || entry.compute_capability < lowest->compute_capability) lowest = &entry;
    if (entry.compute_capability > compute_capability) continue;
    if (best == nullptr || entry.compute_capability > best->compute_capability) best = &entry;
  }
  return best == nullptr ? lowest->nvlink : best->nvlink;
}

std::vector<std::string> GpuCatalogue::names() const {
  std::vector<std::string> names;
  for (const GpuEntry& entry : entries_) names.push_back(entry.name);
  return names;
}

GpuCatalogue builtin_gpu_catalogue() {
  const EmbeddedFile& file = catalogue_gpus().front();
  ConfigDocument document = ConfigDocument::parse_text(file.text, "<catalogue>/gpus.toml");
  GpuCatalogue catalogue = GpuCatalogue::from_config(document.root());
  document.finish();
  return catalogue;
}

}  // namespace ringspan
