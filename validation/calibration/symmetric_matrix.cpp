#include "validation/calibration/symmetric_matrix.h"

#include <cmath>

#include "sim/base/check.h"

namespace ringspan {

// L with L x its transpose = this.
SymmetricMatrix SymmetricMatrix::root() const {
  SymmetricMatrix root(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = at(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= root.at(i, k) * root.at(j, k);
      RINGSPAN_CHECK(i != j || rest > 0, "the matrix is positive definite");
      root.at(i, j) = i == j ? std::sqrt(rest) : rest / root.at(j, j);
    }
  }
  return root;
}

std::vector<double> SymmetricMatrix::inverse_diagonal() const {
  const SymmetricMatrix lower = root();
  // Column c of L's inverse, top down; the sum of the squares of a row is an entry of the diagonal
  // of (L^-1) transposed x L^-1 where rows and columns change places.
  std::vector<double> diagonal(size_, 0);
  for (std::size_t c = 0; c < size_; ++c) {
    std::vector<double> column(size_, 0);
    for (std::size_t i = c; i < size_; ++i) {
      double rest = i == c ? 1 : 0;
      for (std::size_t k = c; k < i; ++k) rest -= lower.at(i, k) * column[k];
      column[i] = rest / lower.at(i, i);
      diagonal[c] += column[i] * column[i];
    }
  }
  return diagonal;
}

}  // namespace ringspan
