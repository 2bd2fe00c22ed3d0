#pragma once

// A format of measured times. Each lives in a file pair of its own and is named in registry.cpp.

#include <optional>
#include <string>
#include <string_view>

#include "models/collectives/collective.h"
#include "sim/base/registry.h"
#include "validation/logs/measured_row.h"

namespace ringspan {

// What a log may leave out.
struct LogOptions {
  std::string system;                        // for rows whose source names none; may be empty
  std::optional<CollectiveKind> collective;  // for logs that do not show theirs
};

struct LogFormat {
  // Whether the text is of this format, by what is in it. A text with mistakes in it is recognised
  // all the same, so that they can be named.
  bool (*recognises)(std::string_view text) = nullptr;
  // `file`: as the user named it, for positions. Never throws InputError: what is wrong is among
  // the problems.
  LogContents (*read)(std::string_view text, const std::string& file,
                      const LogOptions& options) = nullptr;
};

// measured-table, nccl-tests-json, nccl-tests, asked in this order.
Registry<LogFormat> builtin_log_formats();

}  // namespace ringspan
