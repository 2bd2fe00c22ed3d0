#include "tests/unit/collectives/schedule_cases.h"

#include <algorithm>

namespace ringspan {

std::vector<ScheduleCase> all_schedule_cases() {
  std::vector<ScheduleCase> cases;
  const auto algorithms = builtin_algorithms();
  for (const auto& entry : algorithms.entries()) {
    for (const CollectiveKind kind : entry.factory()->collectives()) {
      cases.push_back({entry.name, kind});
    }
  }
  return cases;
}

std::string schedule_case_name(const ::testing::TestParamInfo<ScheduleCase>& info) {
  std::string name = info.param.algorithm + "_" + std::string(collective_name(info.param.kind));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::unique_ptr<Schedule> build_schedule(const ScheduleCase& which, int ranks, int root,
                                         const RankLayout& layout, int variant) {
  const auto algorithm = builtin_algorithms().at(which.algorithm).factory();
  return algorithm->build({{which.kind, ranks, root}, layout, variant});
}

RankLayout nodes_of(int ranks, int per_node) {
  RankLayout layout;
  for (int rank = 0; rank < ranks; ++rank) layout.node.push_back(rank / per_node);
  return layout;
}

RankLayout uneven_nodes(int ranks) {
  RankLayout layout;
  for (std::int32_t node = 0; static_cast<int>(layout.node.size()) < ranks; ++node) {
    for (int i = 0; i <= node % 3 && static_cast<int>(layout.node.size()) < ranks; ++i) {
      layout.node.push_back(node);
    }
  }
  return layout;
}

RankLayout dealt_nodes(int ranks, int nodes) {
  RankLayout layout;
  for (int rank = 0; rank < ranks; ++rank) layout.node.push_back(rank % nodes);
  return layout;
}

RankLayout permuted(RankLayout layout, int ranks) {
  // A stride that shares no divisor with the rank count visits every rank.
  const int stride = ranks % 5 != 0 ? 5 : (ranks % 7 != 0 ? 7 : 1);
  for (int i = 0; i < ranks; ++i) layout.order.push_back((i * stride + 1) % ranks);
  return layout;
}

std::vector<RankLayout> test_layouts(int ranks) {
  return {{},
          permuted({}, ranks),
          nodes_of(ranks, 1),
          nodes_of(ranks, 2),
          nodes_of(ranks, 4),
          permuted(nodes_of(ranks, 8), ranks),
          dealt_nodes(ranks, 5),
          uneven_nodes(ranks),
          permuted(uneven_nodes(ranks), ranks)};
}

}  // namespace ringspan
