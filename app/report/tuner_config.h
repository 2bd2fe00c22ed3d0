#pragma once

// A run's best picks as the file that NCCL's example tuner plugin reads (NCCL repository,
// ext-tuner/example; NCCL_TUNER_CONFIG_FILE): NCCL then takes them instead of its own.

#include <string>

#include "app/scenario/run_report.h"

namespace ringspan {

// Throws InputError where the plugin has no word for the collective: it knows what NCCL's tuner
// chooses for, so not grouped send/receive.
void require_tuner_collective(CollectiveKind kind);

// One line per range of sizes, in bytes of nccl-tests' size column, ascending; together they cover
// every size once. Per tried size the candidate with the least predicted time counts, of those that
// NCCL's tuner may take; ties go to NCCL's own pick. Neighbours with one algorithm, protocol and
// number of channels are one range; two ranges meet at the geometric mean of the sizes on both
// sides; the first begins at 0 and the last is open. Requires candidates in the report (--explain).
// Throws InputError where no size has one that the plugin has a name for.
std::string tuner_config_text(const RunReport& report);

}  // namespace ringspan
