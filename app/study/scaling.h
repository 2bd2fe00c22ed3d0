#pragma once

// What the same work costs on more GPUs, by definition. Eight hours on one GPU and three on four:
// speedup 2.67, scaling efficiency 67 %, 12 GPU-hours instead of 8, and so 50 % more cost at the
// same price per GPU and hour.

namespace ringspan {

struct WorkDone {
  double seconds = 0;
  double gpus = 1;
};

// How many times as fast as `first`.
double speedup(const WorkDone& first, const WorkDone& work);

// Speedup over how many times as many GPUs: 1 where twice the GPUs take half the time.
double scaling_efficiency(const WorkDone& first, const WorkDone& work);

double gpu_hours(const WorkDone& work);

}  // namespace ringspan
