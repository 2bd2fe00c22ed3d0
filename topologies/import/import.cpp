#include "topologies/import/import.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"
#include "topologies/import/gpu_catalogue.h"
#include "topologies/import/host_split.h"
#include "topologies/import/import_notes.h"
#include "topologies/import/nccl_topology.h"
#include "topologies/import/server_plan.h"
#include "topologies/import/system_file.h"

namespace ringspan {

namespace {

ImportedSystem import_one(const TopologyFile& file, int servers, const LinkPresets& presets,
                          const ImportOptions& options) {
  ImportNotes notes(file.file);
  const SplitHosts hosts = split_hosts(read_nccl_topology(file.text, file.file, notes), file.file);
  const GpuCatalogue gpus = builtin_gpu_catalogue();
  ServerPlan plan =
      plan_server({hosts.first, hosts.servers, file.file, presets, gpus, options, notes});
  if (servers > 1) {
    if (plan.domain.servers > 1) {
      throw InputError(SourcePosition{file.file}, "the file holds several servers already",
                       "give one such file alone");
    }
    if (plan.port_link.empty()) {
      throw InputError(SourcePosition{file.file}, "a server without NICs cannot be one of several",
                       "give one file");
    }
    plan.servers = servers;
  }
  ImportedSystem result;
  for (const std::string& line : notes.lines()) result.notes.push_back(harmless_text(line));
  result.text = system_file_text(plan, options.name, harmless_text(file.file), result.notes);
  return result;
}

// Devices and links: the system file without comments and without the line of its source.
std::string without_comments(std::string_view text) {
  std::string bare;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, length);
    if (!line.starts_with("#") && !line.starts_with("sources = ")) bare += line;
    text.remove_prefix(length);
  }
  return bare;
}

}  // namespace

ImportedSystem import_nccl_topology(std::span<const TopologyFile> files, const LinkPresets& presets,
                                    const ImportOptions& options) {
  const int servers = static_cast<int>(files.size());
  ImportedSystem first = import_one(files.front(), servers, presets, options);
  const std::string shape = without_comments(first.text);
  for (const TopologyFile& other : files.subspan(1)) {
    if (without_comments(import_one(other, servers, presets, options).text) == shape) continue;
    throw InputError(SourcePosition{other.file},
                     fmt::format("this server differs from that of {}", files.front().file),
                     "import each into a file of its own, and join them by [[pod]]s "
                     "(docs/formats.md)");
  }
  return first;
}

}  // namespace ringspan
