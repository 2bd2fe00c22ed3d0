#include "validation/calibration/symmetric_matrix.h"

#include <gtest/gtest.h>

namespace ringspan {
namespace {

TEST(SymmetricMatrix, GivesTheDiagonalOfItsInverse) {
  // [[4, 2, 0], [2, 5, 3], [0, 3, 6]]: determinant 4 (30 - 9) - 2 (12 - 0) = 60; the diagonal's
  // cofactors are 30 - 9 = 21, 24 - 0 = 24 and 20 - 4 = 16.
  SymmetricMatrix matrix(3);
  matrix.at(0, 0) = 4;
  matrix.at(1, 0) = 2;
  matrix.at(1, 1) = 5;
  matrix.at(2, 1) = 3;
  matrix.at(2, 2) = 6;
  const std::vector<double> diagonal = matrix.inverse_diagonal();
  ASSERT_EQ(diagonal.size(), 3u);
  EXPECT_NEAR(diagonal[0], 21.0 / 60, 1e-12);
  EXPECT_NEAR(diagonal[1], 24.0 / 60, 1e-12);
  EXPECT_NEAR(diagonal[2], 16.0 / 60, 1e-12);
}

}  // namespace
}  // namespace ringspan
