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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const LinkPresets presets = built_in_presets();
  try {
    ConfigDocument document = ConfigDocument::parse_text(
        std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml");
    const System system = read_system(document, presets, built_in_system);
    RINGSPAN_CHECK(system.info.gpus > 0, "a system has a GPU");
    RINGSPAN_CHECK(!system.info.name.empty(), "a system has a name");
  } catch (const InputError& error) {
    RINGSPAN_CHECK(!error.problems().empty(), "a refusal says why");
  }
  return 0;
}
