#include "validation/logs/measured_row.h"

namespace ringspan {

std::array<std::string, kMeasuredColumns.size()> measured_cells(const MeasuredRow& row) {
  return {row.system,
          row.nodes ? std::to_string(*row.nodes) : "",
          std::to_string(row.gpus),
          row.nccl,
          std::string(collective_name(row.collective)),
          row.algorithm,
          row.protocol ? std::string(protocol_name(*row.protocol)) : "",
          row.dtype,
          std::to_string(row.bytes),
          row.time_text,
          row.launch,
          row.env,
          row.case_name};
}

}  // namespace ringspan
