#include "topologies/import/nccl_topology.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/base/decimal.h"
#include "sim/base/input_error.h"
#include "sim/base/quote.h"
#include "topologies/import/xml_element.h"
#include "topologies/import/xml_reading.h"

namespace ringspan {

namespace {

constexpr std::string_view kBusHint = "such as busid=\"0000:3b:00.0\"";
constexpr std::uint32_t kBaseClassDisplay = 0x03, kBaseClassNetwork = 0x02;
constexpr std::uint32_t kNvSwitchClass = 0x0680;
constexpr std::int64_t kMostMegabits = 100'000'000;
constexpr std::int64_t kMostC2c = 100'000'000;  // MB/s
constexpr std::size_t kMostCpus = 256;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

FilePlace place_of(const XmlElement& element) { return {element.line, element.column}; }

// "16.0 GT/s PCIe", "8 GT/s"; 0: "", "Unknown speed", or no speed of PCIe.
std::int64_t transfers_of(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const DecimalScan number = scan_decimal(text);
  if (number.status != DecimalStatus::Ok || number.value.negative) return 0;
  std::string_view unit = text.substr(number.length);
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (!unit.starts_with("GT/s")) return 0;
  const ScaledInteger rate = scale_decimal(number.value, 1'000'000'000, 1);
  constexpr std::array<std::int64_t, 6> kRates = {2'500'000'000,  5'000'000'000,  8'000'000'000,
                                                  16'000'000'000, 32'000'000'000, 64'000'000'000};
  return rate.fits && std::find(kRates.begin(), kRates.end(), rate.value) != kRates.end()
             ? rate.value
             : 0;
}

class Reader {
 public:
  Reader(const std::string& file, ImportNotes& notes) : source_{file}, notes_(notes) {}

  NcclTopology read(const XmlElement& root) {
    check_root(root);
    NcclTopology topology;
    topology.is_template = !holds(root, "gpu");
    template_ = topology.is_template;
    for (const XmlElement& child : root.children) {
      if (child.name == "cpu") {
        if (topology.cpus.size() >= kMostCpus) {
          source_.fail(child, fmt::format("more than {} CPUs", kMostCpus),
                       "no server has that many");
        }
        topology.cpus.push_back(cpu(child));
      } else {
        unknown(child);
      }
    }
    if (gpus_ == 0) {
      source_.fail(
          root, "the file describes no GPU",
          "a <pci> of class 0x03... below a <cpu>; was the dump made on a machine with GPUs?");
    }
    return topology;
  }

 private:
  void check_root(const XmlElement& root) const {
    if (root.name == "system") {
      const auto version = source_.find_integer(root, "version", 0, 1'000'000);
      if (version.value_or(1) != 1) {
        source_.fail(*root.find("version"), fmt::format("version {} is not known", *version),
                     "NCCL up to 2.30 writes version 1");
      }
      return;
    }
    const bool graphs = root.name == "graphs";
    source_.fail(root,
                 graphs ? "this is a dump of graphs, not of a topology"
                        : fmt::format("<{}> is no topology", harmless_text(root.name)),
                 graphs ? "NCCL_TOPO_DUMP_FILE writes the topology; NCCL_GRAPH_DUMP_FILE wrote this"
                        : "the outermost element of NCCL's topology file is <system>");
  }

  static bool holds(const XmlElement& element, std::string_view name) {
    return std::any_of(
        element.children.begin(), element.children.end(),
        [&](const XmlElement& child) { return child.name == name || holds(child, name); });
  }

  void unknown(const XmlElement& element) {
    notes_.add(element.line, element.column,
               fmt::format("<{}> is not known and left out", harmless_text(element.name)));
  }

  NcclCpu cpu(const XmlElement& element) {
    NcclCpu cpu;
    cpu.where = place_of(element);
    cpu.numa_node = source_.find_integer(element, "numaid", -1, 1'000'000).value_or(-1);
    cpu.architecture = text_or_empty(element, "arch");
    cpu.vendor = text_or_empty(element, "vendor");
    cpu.family = static_cast<int>(source_.find_integer(element, "familyid", 0, 65'535).value_or(0));
    // NCCL writes the extended family above four bits of the family, which are then all set: 0xaf
    // is 0xf + 0xa. People write 25.
    if (cpu.family > 0xf && (cpu.family & 0xf) == 0xf && cpu.family > 0x1f) {
      cpu.family = 0xf + (cpu.family >> 4);
    }
    cpu.model = static_cast<int>(source_.find_integer(element, "modelid", 0, 65'535).value_or(0));
    cpu.host = host_ = lower_case(text_or_empty(element, "host_hash"));
    for (const XmlElement& child : element.children) {
      if (child.name == "pci") {
        std::optional<NcclPciDevice> device = pci(child);
        if (device) cpu.devices.push_back(std::move(*device));
      } else if (child.name == "nic") {
        add_ports(child, cpu.ports);
      } else {
        unknown(child);
      }
    }
    return cpu;
  }

  // nullopt: neither GPU nor NIC, and above none.
  std::optional<NcclPciDevice> pci(const XmlElement& element) {
    NcclPciDevice device;
    device.where = place_of(element);
    device.address = address(element);
    const XmlAttribute& pci_class =
        source_.attribute(element, "class", "a PCI class, such as class=\"0x030200\" of a GPU");
    const auto value = hexadecimal(pci_class.value);
    if (!value || *value > 0xffffff) {
      source_.fail(pci_class, fmt::format("{} is no PCI class", quote_text(pci_class.value)),
                   "0x030200 is a GPU, 0x020000 or 0x020700 a NIC, 0x060400 a bridge");
    }
    device.pci_class = *value;
    device.vendor = hexadecimal(text_or_empty(element, "vendor")).value_or(0);
    device.device = hexadecimal(text_or_empty(element, "device")).value_or(0);
    device.speed.transfers = transfers_of(text_or_empty(element, "link_speed"));
    device.speed.lanes = lanes(element);
    bool has_gpu = false, has_nic = false;
    for (const XmlElement& child : element.children) {
      if (child.name == "pci") {
        std::optional<NcclPciDevice> below = pci(child);
        if (below) device.children.push_back(std::move(*below));
      } else if (child.name == "gpu") {
        if (has_gpu) source_.fail(child, "a second <gpu> in one <pci>", "one <pci> is one GPU");
        has_gpu = true;
        device.gpu = gpu(child);
      } else if (child.name == "nic") {
        has_nic = true;
        add_ports(child, device.ports);
      } else if (child.name == "pcilink") {
        const XmlAttribute& target = source_.attribute(child, "target", kBusHint);
        device.peer_switches.push_back(parsed(target));
      } else {
        unknown(child);
      }
    }
    std::optional<NcclPciDevice> kept = classified(std::move(device), has_gpu, has_nic);
    if (kept && kept->kind != NcclPciKind::Bridge && !kept->children.empty()) {
      const FilePlace where = kept->children.front().where;
      throw InputError(SourcePosition{source_.file, where.line, where.column},
                       "a device stands below a GPU or a NIC",
                       "only bridges (class 0x060400) have devices below them");
    }
    return kept;
  }

  std::optional<NcclPciDevice> classified(NcclPciDevice device, bool has_gpu, bool has_nic) {
    const std::uint32_t base = device.pci_class >> 16;
    if (has_gpu || (base == kBaseClassDisplay && template_)) {
      device.kind = NcclPciKind::Gpu;
      ++gpus_;
      return device;
    }
    if (has_nic || (base == kBaseClassNetwork && template_)) {
      device.kind = NcclPciKind::Adapter;
      if (!device.ports.empty() || template_) return device;
    }
    device.kind = NcclPciKind::Bridge;
    if (!device.children.empty()) return device;
    if (base == kBaseClassDisplay || base == kBaseClassNetwork) {
      notes_.add(device.where.line, device.where.column,
                 base == kBaseClassDisplay
                     ? "a GPU without <gpu>, which NCCL does not use: left out"
                     : "a NIC without <net>, which NCCL does not use: left out");
    } else if (device.pci_class >> 8 != kNvSwitchClass) {
      notes_.add(device.where.line, device.where.column,
                 "no GPU or NIC is below this device: left out");
    }
    return std::nullopt;
  }

  PciAddress parsed(const XmlAttribute& attribute) const {
    const auto address = parse_pci_address(attribute.value);
    if (!address) {
      source_.fail(attribute, fmt::format("{} is no PCI address", quote_text(attribute.value)),
                   std::string(kBusHint));
    }
    return *address;
  }

  PciAddress address(const XmlElement& element) {
    const XmlAttribute& written = source_.attribute(element, "busid", kBusHint);
    const PciAddress address = parsed(written);
    const auto [known, is_new] = lines_of_.emplace(std::pair(host_, address), element.line);
    if (!is_new) {
      source_.fail(written,
                   fmt::format("{} is the address of another device, in line {}",
                               format_pci_address(address), known->second),
                   "give every device of a server an address of its own");
    }
    return address;
  }

  // 0 and what is no width of PCIe (Linux says 255 or 63 where it does not know): not said.
  int lanes(const XmlElement& element) const {
    constexpr std::array<std::int64_t, 7> kWidths = {1, 2, 4, 8, 12, 16, 32};
    const auto width = source_.find_integer(element, "link_width", 0, 255).value_or(0);
    return std::find(kWidths.begin(), kWidths.end(), width) != kWidths.end()
               ? static_cast<int>(width)
               : 0;
  }

  NcclGpu gpu(const XmlElement& element) {
    NcclGpu gpu;
    if (const auto number = source_.find_integer(element, "dev", -1, 65'535)) {
      if (*number >= 0) gpu.device_number = static_cast<int>(*number);
    }
    if (const auto sm = source_.find_integer(element, "sm", 0, 999)) {
      gpu.compute_capability = static_cast<int>(*sm);
    }
    gpu.gpu_direct = source_.find_integer(element, "gdr", 0, 1).value_or(1) == 1;
    for (const XmlElement& child : element.children) {
      if (child.name == "nvlink") {
        gpu.nvlinks.push_back(nvlinks(child));
      } else if (child.name == "c2c") {
        add_c2c(child, gpu);
      } else {
        unknown(child);
      }
    }
    return gpu;
  }

  void add_c2c(const XmlElement& element, NcclGpu& gpu) const {
    gpu.c2c_megabytes_per_second +=
        source_.integer(source_.attribute(element, "bw", "MB/s of one link"), 1, 1'000'000) *
        source_.find_integer(element, "count", 1, 64).value_or(1);
    if (gpu.c2c_megabytes_per_second > kMostC2c) {
      source_.fail(element, "no GPU has that much C2C", "at most 100 TB/s in all");
    }
  }

  NcclNvlinks nvlinks(const XmlElement& element) const {
    NcclNvlinks links;
    links.where = place_of(element);
    links.target = lower_case(source_.attribute(element, "target", "the bus id of its peer").value);
    links.count = static_cast<int>(source_.find_integer(element, "count", 1, 1'024).value_or(1));
    const XmlAttribute* tclass = element.find("tclass");
    const auto peer =
        tclass == nullptr ? std::optional<std::uint32_t>(0x030200) : hexadecimal(tclass->value);
    if (peer && *peer >> 16 == kBaseClassDisplay) {
      const auto address = parse_pci_address(links.target);
      if (!address) {
        source_.fail(*element.find("target"),
                     fmt::format("{} is no PCI address", quote_text(links.target)),
                     std::string(kBusHint));
      }
      links.target = format_pci_address(*address);
      return links;
    }
    if (!peer || *peer >> 8 != kNvSwitchClass) {
      source_.fail(*tclass,
                   fmt::format("{} is no class of an NVLink's end", quote_text(tclass->value)),
                   "0x030200 is a GPU, 0x068000 an NVSwitch, 0x068001 a CPU");
    }
    links.peer = (*peer & 0xff) == 1 ? NvlinkPeer::Cpu : NvlinkPeer::Switch;
    return links;
  }

  void add_ports(const XmlElement& nic, std::vector<NcclPort>& ports) {
    for (const XmlElement& element : nic.children) {
      if (element.name != "net") {
        unknown(element);
        continue;
      }
      NcclPort port;
      port.where = place_of(element);
      port.name = text_or_empty(element, "name");
      if (const auto number = source_.find_integer(element, "dev", -1, 65'535)) {
        if (*number >= 0) port.device_number = static_cast<int>(*number);
      }
      port.megabits_per_second = std::max<std::int64_t>(
          source_.find_integer(element, "speed", -1, kMostMegabits).value_or(0), 0);
      port.gpu_direct = source_.find_integer(element, "gdr", 0, 1).value_or(1) == 1;
      const std::string guid = lower_case(text_or_empty(element, "guid"));
      if (!guid.empty() && guid != "0x0") {
        port.identity = fmt::format("{}/{}", guid, text_or_empty(element, "port"));
      }
      ports.push_back(std::move(port));
    }
  }

  XmlSource source_;
  ImportNotes& notes_;
  bool template_ = false;
  int gpus_ = 0;
  std::string host_;                                            // of the CPU that is being read
  std::map<std::pair<std::string, PciAddress>, int> lines_of_;  // by host
};

}  // namespace

NcclTopology read_nccl_topology(std::string_view text, const std::string& file,
                                ImportNotes& notes) {
  return Reader(file, notes).read(read_xml(text, file));
}

}  // namespace ringspan
