#include "models/collectives/collective.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

TEST(Collective, EveryNameReadsBack) {
  std::set<std::string_view> names;
  for (const CollectiveKind kind : kAllCollectives) {
    EXPECT_EQ(collective_from_name(collective_name(kind)), kind);
    EXPECT_FALSE(collective_description(kind).empty());
    names.insert(collective_name(kind));
  }
  EXPECT_EQ(names.size(), kAllCollectives.size());
  EXPECT_EQ(collective_name(CollectiveKind::AllToAll), "alltoall");
}

TEST(Collective, AnUnknownNameIsRefusedWithTheNearest) {
  try {
    collective_from_name("allreduce");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: unknown collective 'allreduce'\nhint: did you mean 'all_reduce'?");
  }
}

TEST(Collective, BusBandwidthFactorsAreThoseOfNcclTests) {
  // nccl-tests doc/PERFORMANCE.md, for n = 8: 2 x 7/8, 7/8 and 1.
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::AllReduce, 8), 1.75);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::AllGather, 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::ReduceScatter, 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::AllToAll, 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::Gather, 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::Scatter, 8), 0.875);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::Broadcast, 8), 1);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::Reduce, 8), 1);
  EXPECT_DOUBLE_EQ(busbw_factor(CollectiveKind::SendRecv, 8), 1);
  for (const CollectiveKind kind : kAllCollectives) EXPECT_EQ(busbw_factor(kind, 1), 0);
}

TEST(Collective, FourHaveARootAndThreeReduce) {
  std::set<CollectiveKind> rooted;
  std::set<CollectiveKind> reducing;
  for (const CollectiveKind kind : kAllCollectives) {
    if (collective_has_root(kind)) rooted.insert(kind);
    if (collective_reduces(kind)) reducing.insert(kind);
  }
  using enum CollectiveKind;
  EXPECT_EQ(rooted, (std::set{Broadcast, Reduce, Gather, Scatter}));
  EXPECT_EQ(reducing, (std::set{AllReduce, ReduceScatter, Reduce}));
}

}  // namespace
}  // namespace ringspan
