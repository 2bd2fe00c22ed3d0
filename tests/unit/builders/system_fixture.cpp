#include "tests/unit/builders/system_fixture.h"

#include <stdexcept>

#include "sim/base/input_error.h"
#include "topologies/data/catalogue.h"

namespace ringspan {

LinkPresets builtin_presets() {
  const EmbeddedFile& file = catalogue_links().front();
  const ConfigDocument document = ConfigDocument::parse_text(file.text, "<catalogue>/links.toml");
  LinkPresets presets = LinkPresets::from_config(document.root());
  document.finish();
  return presets;
}

std::optional<SystemText> find_in_catalogue(std::string_view name) {
  for (const EmbeddedFile& file : catalogue_systems()) {
    if (file.name == name) {
      return SystemText{std::string(file.text), "<catalogue>/" + std::string(name) + ".toml"};
    }
  }
  return std::nullopt;
}

System read_text(std::string_view text, const SystemOverrides& overrides, const SystemSize& size) {
  static const LinkPresets presets = builtin_presets();
  ConfigDocument document = ConfigDocument::parse_text(text, "f.toml");
  return read_system(document, presets, find_in_catalogue, overrides, size);
}

System read_catalogue(std::string_view name) {
  const std::optional<SystemText> found = find_in_catalogue(name);
  if (!found) throw std::runtime_error("no such catalogue entry: " + std::string(name));
  return read_text(found->text);
}

std::string refusal(std::string_view text, const SystemOverrides& overrides,
                    const SystemSize& size) {
  try {
    read_text(text, overrides, size);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

NodeId device_named(const Topology& topology, std::string_view name) {
  for (std::uint32_t i = 0; i < topology.devices().size(); ++i) {
    if (topology.devices()[i].name == name) return NodeId{i};
  }
  throw std::runtime_error("no device " + std::string(name));
}

Bandwidth nominal_between(const Topology& topology, std::string_view from, DeviceKind to) {
  Bandwidth sum;
  for (LinkId id : topology.out_links(device_named(topology, from))) {
    const Link& link = topology.link(id);
    if (topology.device(link.to).kind == to) sum = sum + link.nominal;
  }
  return sum;
}

std::string two_gpus(std::string_view more) {
  return R"(name = "pair"
[node]
[[node.device]]
name = "gpu"
kind = "gpu"
count = 2
model = "H100 PCIe"
compute_capability = 90
memory = "80 GiB"
memory_copy = "850 GB/s"
[[node.device]]
name = "psw"
kind = "pcie-switch"
[[node.link]]
from = "psw"
to = "gpu*"
link = "pcie5"
)" + std::string(more);
}

std::string two_gpu_servers(std::string_view more) {
  return R"(name = "cluster"
[node]
[[node.device]]
name = "gpu"
kind = "gpu"
count = 2
model = "X"
compute_capability = 90
memory = "80 GiB"
memory_copy = "1 TB/s"
[[node.device]]
name = "nic"
kind = "nic"
count = 2
[[node.device]]
name = "psw"
kind = "pcie-switch"
[[node.link]]
from = "psw"
to = ["gpu*", "nic*"]
link = "pcie5"
[[node.link]]
from = "gpu0"
to = "gpu1"
link = "nvlink4"
count = 8
)" + std::string(more);
}

std::string two_gpu_trays(std::string_view domain) {
  return R"(name = "racks"
[node]
[[node.device]]
name = "gpu"
kind = "gpu"
count = 2
model = "X"
compute_capability = 100
memory = "180 GiB"
memory_copy = "3 TB/s"
[[node.device]]
name = "nic"
kind = "nic"
count = 2
[[node.device]]
name = "psw"
kind = "pcie-switch"
[[node.link]]
from = "psw"
to = ["gpu*", "nic*"]
link = "pcie5"
[fabric]
kind = "nvlink-domain"
)" + std::string(domain);
}

}  // namespace ringspan
