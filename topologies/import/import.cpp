#include "topologies/import/import.h"

#include "sim/base/quote.h"
#include "topologies/import/gpu_catalogue.h"
#include "topologies/import/host_split.h"
#include "topologies/import/import_notes.h"
#include "topologies/import/nccl_topology.h"
#include "topologies/import/server_plan.h"
#include "topologies/import/system_file.h"

namespace ringspan {

ImportedSystem import_nccl_topology(std::string_view text, const std::string& file,
                                    const LinkPresets& presets, const ImportOptions& options) {
  ImportNotes notes(file);
  const SplitHosts hosts = split_hosts(read_nccl_topology(text, file, notes), file);
  const GpuCatalogue gpus = builtin_gpu_catalogue();
  const ServerPlan plan =
      plan_server({hosts.first, hosts.servers, file, presets, gpus, options, notes});
  ImportedSystem result;
  for (const std::string& line : notes.lines()) result.notes.push_back(harmless_text(line));
  result.text = system_file_text(plan, options.name, harmless_text(file), result.notes);
  return result;
}

}  // namespace ringspan
