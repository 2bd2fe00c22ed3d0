// Any bytes are either a system or refused with InputErrors; a system that is read has the parts
// that everything behind the reader relies on.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/links/link_preset.h"
#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/config/config_node.h"
#include "topologies/builders/system.h"
#include "topologies/data/catalogue.h"

namespace {

using namespace ringspan;

LinkPresets built_in_presets() {
  ConfigDocument document =
      ConfigDocument::parse_text(catalogue_links().front().text, "<catalogue>/links.toml");
  return LinkPresets::from_config(document.root());
}

std::optional<SystemText> built_in_system(std::string_view name) {
  for (const EmbeddedFile& file : catalogue_systems()) {
    if (file.name == name) return SystemText{std::string(file.text), std::string(file.name)};
  }
  return std::nullopt;
}

}  // namespace

namespace {

System read(std::string_view text, const SystemSize& size) {
  static const LinkPresets presets = built_in_presets();
  ConfigDocument document = ConfigDocument::parse_text(text, "fuzz.toml");
  return read_system(document, presets, built_in_system, {}, size);
}

void check(const System& system) {
  RINGSPAN_CHECK(system.info.gpus > 0 && system.info.servers > 0, "a system has a GPU");
  RINGSPAN_CHECK(!system.info.name.empty(), "a system has a name");
  const Cluster& cluster = system.cluster;
  for (const DomainKind& kind : cluster.kinds()) {
    RINGSPAN_CHECK(!kind.gpus.empty(), "a domain has a GPU");
    RINGSPAN_CHECK(kind.nics.size() == kind.rails.size(), "a NIC has a rail");
  }
  RINGSPAN_CHECK((cluster.fabric() == nullptr) == (cluster.domain_count() == 1),
                 "several domains have a fabric");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const SystemSize& asked : {SystemSize{}, SystemSize{3, std::nullopt}}) {
    try {
      check(read(text, asked));
    } catch (const InputError& error) {
      RINGSPAN_CHECK(!error.problems().empty(), "a refusal says why");
    }
  }
  return 0;
}
