#include "models/nccl/version_note.h"

#include <gtest/gtest.h>

#include "models/nccl/tuner_constants.h"

namespace ringspan {
namespace {

TEST(VersionNote, OnlyVersionsOutsideThoseModelledAreNoted) {
  EXPECT_EQ(nccl_version_note({2, 8, 3}), "NCCL 2.8.3 is taken as 2.18, the oldest one modelled");
  EXPECT_EQ(nccl_version_note({9, 1, -1}), "NCCL 9.1 is taken as " +
                                               nccl_version_text(newest_nccl_version()) +
                                               ", the newest one modelled");
  EXPECT_EQ(nccl_version_note(kOldestNccl), "");
  EXPECT_EQ(nccl_version_note({2, 18, 1}), "");
  EXPECT_EQ(nccl_version_note(newest_nccl_version()), "");
}

TEST(VersionNote, WhatIsOlderBecomesTheOldest) {
  EXPECT_EQ(modelled_nccl_version({2, 5, 6}), "2.18");
  EXPECT_EQ(modelled_nccl_version({2, 23, -1}), "2.23");
}

}  // namespace
}  // namespace ringspan
