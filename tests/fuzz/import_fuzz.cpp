// Any bytes are either a topology or refused with InputErrors; what is imported is a system that is
// read, and the same bytes every time.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/links/link_preset.h"
#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "sim/config/config_node.h"
#include "topologies/builders/system.h"
#include "topologies/data/catalogue.h"
#include "topologies/import/import.h"

namespace {

using namespace ringspan;

LinkPresets built_in_presets() {
  ConfigDocument document =
      ConfigDocument::parse_text(catalogue_links().front().text, "<catalogue>/links.toml");
  return LinkPresets::from_config(document.root());
}

std::optional<ImportedSystem> imported(std::string_view text, const ImportOptions& options) {
  static const LinkPresets presets = built_in_presets();
  try {
    const std::vector<TopologyFile> files = {{std::string(text), "fuzz.xml"}};
    return import_nccl_topology(files, presets, options);
  } catch (const InputError& error) {
    RINGSPAN_CHECK(!error.problems().empty(), "a refusal says why");
    return std::nullopt;
  }
}

void check_read(const std::string& text) {
  static const LinkPresets presets = built_in_presets();
  ConfigDocument document = ConfigDocument::parse_text(text, "imported.toml");
  const System system =
      read_system(document, presets, [](std::string_view) { return std::nullopt; });
  RINGSPAN_CHECK(system.info.gpus > 0, "an imported system has a GPU");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ImportOptions mesh;
  mesh.nvlink = NvlinkWiring::Mesh;
  mesh.gpu = "A100 SXM 80 GB";
  for (ImportOptions options : {ImportOptions{}, mesh}) {
    options.name = "fuzz";
    const std::optional<ImportedSystem> first = imported(text, options);
    if (!first) continue;
    check_read(first->text);
    RINGSPAN_CHECK(imported(text, options)->text == first->text, "the same bytes every time");
  }
  return 0;
}
