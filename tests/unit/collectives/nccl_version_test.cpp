#include "models/collectives/nccl_version.h"

#include <gtest/gtest.h>

#include "sim/base/input_error.h"

namespace ringspan {
namespace {

TEST(NcclVersion, TwoOrThreeNumbersAreRead) {
  EXPECT_EQ(parse_nccl_version("2.27"), (NcclVersion{2, 27, -1}));
  EXPECT_EQ(parse_nccl_version("2.27.3"), (NcclVersion{2, 27, 3}));
  EXPECT_EQ(nccl_version_text(parse_nccl_version("2.5.6")), "2.5.6");
  EXPECT_EQ(nccl_version_text(parse_nccl_version("2.30")), "2.30");
}

TEST(NcclVersion, OrderIsByNumberNotByText) {
  EXPECT_LT(parse_nccl_version("2.5.6"), kOldestNccl);
  EXPECT_GE(parse_nccl_version("2.18"), kOldestNccl);
  EXPECT_LT(parse_nccl_version("2.18.5"), parse_nccl_version("2.18.10"));
}

TEST(NcclVersion, EverythingElseIsRefused) {
  for (const char* text : {"", "2", "2.", "2.x", "2.27.", "2.27.3.1", "v2.27", "2.-1", "2.27 ",
                           "2.27.3-1", "99999.1", "99999999999.1"}) {
    EXPECT_THROW(parse_nccl_version(text), InputError) << text;
  }
  try {
    parse_nccl_version("latest");
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: 'latest' is not a version of NCCL\n"
                 "hint: give X.Y or X.Y.Z, for example 2.27 or 2.27.3");
  }
}

}  // namespace
}  // namespace ringspan
