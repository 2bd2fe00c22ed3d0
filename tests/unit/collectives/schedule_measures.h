#pragma once

// How much a schedule moves and how long its longest chain is.

#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

// Per rank, in units of the collective's size. A multicast leaves its source once; every source of
// a reduction in the switch sends, its destination receives once.
struct Volume {
  std::vector<double> sent;
  std::vector<double> received;
};
Volume volume(const Schedule& schedule);

// Operations on the longest chain of dependencies.
int steps(const Schedule& schedule);

// Fails the test unless every rank sends and receives this much.
void expect_everyone(const Schedule& schedule, double sent, double received);

int ceil_log2(int n);

}  // namespace ringspan
