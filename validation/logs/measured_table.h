#pragma once

// Measured tables: CSV with a header line; columns are found by name, in any order. system, gpus,
// collective, bytes and time_us must be there, the others may be left out or empty. Columns of
// other names are passed over with a note, so that what `validate --format csv` writes can be read.
// Blank lines and lines that begin with '#' are no rows. docs/formats.md has every column.

#include "validation/logs/log_format.h"

namespace ringspan {

LogFormat measured_table_format();

}  // namespace ringspan
