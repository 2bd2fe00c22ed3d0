#include "validation/calibration/parameter_moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace ringspan {
namespace {

// Two rings with LL and two with Simple on one DGX H100.
std::vector<MeasuredRow> small_and_large() {
  std::vector<MeasuredRow> rows;
  for (const std::int64_t bytes : {1 << 10, 1 << 14, 1 << 26, 1 << 28}) {
    MeasuredRow row;
    row.system = "dgx-h100";
    row.gpus = 8;
    row.collective = CollectiveKind::AllGather;
    row.algorithm = "ring";
    row.protocol = bytes < 1 << 20 ? Protocol::LL : Protocol::Simple;
    row.bytes = bytes;
    row.time_us = 100;
    rows.push_back(row);
  }
  return rows;
}

TEST(ParameterMoves, AreTheRowsThatRunWithTheConstant) {
  const Catalog catalog = builtin_catalog();
  const std::vector<MeasuredRow> rows = small_and_large();
  const RowPredictor predictor(rows, catalog, 1);
  const Profile profile = load_profile(catalog, "hopper");
  const std::vector<Parameter> parameters = fitted_parameters(profile);
  std::vector<std::size_t> wanted(parameters.size());
  for (std::size_t p = 0; p < wanted.size(); ++p) wanted[p] = p;
  std::map<std::string, std::vector<std::size_t>> moves;
  for (const OpenParameter& one :
       find_moves(predictor, parameters, wanted, {0, 1, 2, 3}, profile, {})) {
    moves[parameters[one.parameter].path] = one.moves;
  }
  using Rows = std::vector<std::size_t>;
  EXPECT_EQ(moves["launch.call"], (Rows{0, 1, 2, 3}));
  EXPECT_EQ(moves["algorithm.default.nvlink_step.ll"], (Rows{0, 1}));
  EXPECT_EQ(moves["algorithm.default.base.simple"], (Rows{2, 3}));
  EXPECT_EQ(moves["link_share.nvlink"], (Rows{2, 3}));  // LL is limited by its threads
  for (const char* const other :
       {"algorithm.default.network_step.ll", "algorithm.tree.base.simple", "nvls.efficiency"}) {
    EXPECT_EQ(moves.count(other), 0U) << other;
  }
}

}  // namespace
}  // namespace ringspan
