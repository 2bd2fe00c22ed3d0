#pragma once

// A hand-made report: the ring over two GPUs of a made-up server, one small and one large size.

#include "app/scenario/run_report.h"

namespace ringspan {

inline RunRow small_row() {
  RunRow row;
  row.bytes = 8;
  row.count = 2;
  row.algorithm = "ring";
  row.protocol = Protocol::LL;
  row.channels = 1;
  row.granularity = Granularity::Chunk;
  row.time = picoseconds(6'600'001);
  row.time_in_place = nanoseconds(6'500);
  row.bottleneck = "latency";
  row.bottleneck_utilisation = 0.0004;
  row.lower_bound = nanoseconds(500);
  row.lower_bound_reason = "one crossing of the slowest link";
  row.rank_send_bytes = 8;
  row.chunk_bytes = 8;
  row.slice_bytes = 8;
  row.loops = 1;
  row.operations = 4;
  row.events = 9;
  row.memory_bytes = 1024;
  return row;
}

inline RunRow large_row() {
  RunRow row = small_row();
  row.bytes = 1'073'741'824;
  row.count = 268'435'456;
  row.protocol = Protocol::Simple;
  row.channels = 16;
  row.time = microseconds(5'000);
  row.time_in_place = microseconds(4'900);
  row.algbw_gbs = row.busbw_gbs = 214.7483648;               // 2^30 bytes in 5 ms
  row.algbw_in_place_gbs = row.busbw_in_place_gbs = 219.13;  // rounded by hand
  row.bottleneck = "gpu0 -> gpu1 (4 x nvlink3)";
  row.bottleneck_utilisation = 0.982;
  row.lower_bound = microseconds(4'000);
  row.lower_bound_reason = "every GPU must send the size once";
  row.rank_send_bytes = row.bytes;  // 2 x 1/2 of the size
  row.chunk_bytes = 4 << 20;
  row.slice_bytes = 2 << 20;
  row.loops = 8;
  row.loads = {{"gpu0 -> gpu1 (4 x nvlink3)", "nvlink", 1'073'741'824.0, 220e9, 0.982},
               {"gpu1 -> gpu0 (4 x nvlink3)", "nvlink", 1'073'741'824.0, 220e9, 0.982}};
  row.candidates = {{"ring", Protocol::Simple, 16, microseconds(5'000), true, {}, {}},
                    {"tree", Protocol::Simple, 16, microseconds(7'500), false, {}, {}}};
  row.notes = {"larger than half of a GPU's memory"};
  return row;
}

inline RunReport sample_report() {
  RunReport report;
  report.system = "pair";
  report.system_description = "two GPUs";
  report.gpus = 2;
  report.gpu_model = "A100";
  report.profile = "nccl-ampere";
  report.nccl = "2.28.9";
  report.dtype = "float";
  report.op = "sum";
  report.rank_devices = {{"gpu0", 0}, {"gpu1", 1}};
  report.paths = {{"NVLink", 2, 220, nanoseconds(700), "gpu0 -> gpu1", ""}};
  report.rows = {small_row(), large_row()};
  return report;
}

}  // namespace ringspan
