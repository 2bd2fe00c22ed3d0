#include "topologies/import/import.h"

#include "sim/base/quote.h"
#include "topologies/import/gpu_catalogue.h"
#include "topologies/import/import_notes.h"
#include "topologies/import/nccl_topology.h"
#include "topologies/import/server_plan.h"
#include "topologies/import/system_file.h"

namespace ringspan {

ImportedSystem import_nccl_topology(std::string_view text, const std::string& file,
                                    const LinkPresets& presets, const ImportOptions& options) {
  ImportNotes notes(file);
  const NcclTopology topology = read_nccl_topology(text, file, notes);
  const GpuCatalogue gpus = builtin_gpu_catalogue();
  const ServerPlan plan = plan_server({topology, file, presets, gpus, options, notes});
  ImportedSystem result;
  for (const std::string& line : notes.lines()) result.notes.push_back(harmless_text(line));
  result.text = system_file_text(plan, options.name, harmless_text(file), result.notes);
  return result;
}

}  // namespace ringspan
