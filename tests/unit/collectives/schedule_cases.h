#pragma once

// What the tests of schedules share: layouts, and every registered algorithm with its collectives.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/collectives/algorithm.h"

namespace ringspan {

struct ScheduleCase {
  std::string algorithm;
  CollectiveKind kind = CollectiveKind::AllReduce;
};

std::vector<ScheduleCase> all_schedule_cases();
// "halving_doubling_all_reduce", for INSTANTIATE_TEST_SUITE_P.
std::string schedule_case_name(const ::testing::TestParamInfo<ScheduleCase>& info);

std::unique_ptr<Schedule> build_schedule(const ScheduleCase& which, int ranks, int root = 0,
                                         const RankLayout& layout = {}, int variant = 0);

// Nodes of `per_node` GPUs; the last one may be smaller.
RankLayout nodes_of(int ranks, int per_node);
// Nodes of 1, 2, 3, 1, 2, 3, ... GPUs.
RankLayout uneven_nodes(int ranks);
// Neighbours on different nodes: rank r on node r modulo `nodes`.
RankLayout dealt_nodes(int ranks, int nodes);
// The same nodes, visited in another order.
RankLayout permuted(RankLayout layout, int ranks);
// One node, nodes of 1, 2, 4 and 8 GPUs, five nodes, uneven ones; some in another order.
std::vector<RankLayout> test_layouts(int ranks);

}  // namespace ringspan
