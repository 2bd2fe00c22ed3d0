#include "app/study/scaling.h"

namespace ringspan {

namespace {

constexpr double kSecondsPerHour = 3600;

}  // namespace

double speedup(const WorkDone& first, const WorkDone& work) {
  return work.seconds > 0 ? first.seconds / work.seconds : 1;
}

double scaling_efficiency(const WorkDone& first, const WorkDone& work) {
  return speedup(first, work) * first.gpus / work.gpus;
}

double gpu_hours(const WorkDone& work) { return work.gpus * work.seconds / kSecondsPerHour; }

}  // namespace ringspan
