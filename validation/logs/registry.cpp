#include "validation/logs/log_format.h"
#include "validation/logs/measured_table.h"
#include "validation/logs/nccl_tests_json.h"
#include "validation/logs/nccl_tests_text.h"

namespace ringspan {

Registry<LogFormat> builtin_log_formats() {
  Registry<LogFormat> formats("log format");
  formats.add("measured-table", "a CSV with the columns system, gpus, collective, bytes, time_us",
              measured_table_format());
  formats.add("nccl-tests-json", "what nccl-tests writes with -J", nccl_tests_json_format());
  formats.add("nccl-tests", "what nccl-tests prints, also among other lines",
              nccl_tests_text_format());
  return formats;
}

}  // namespace ringspan
