#pragma once

#include <cstddef>
#include <vector>

namespace ringspan {

// Symmetric and positive definite; small.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(std::size_t size) : size_(size), lower_(size * (size + 1) / 2, 0) {}

  std::size_t size() const { return size_; }
  // Requires j <= i < size().
  double& at(std::size_t i, std::size_t j) { return lower_[i * (i + 1) / 2 + j]; }
  double at(std::size_t i, std::size_t j) const { return lower_[i * (i + 1) / 2 + j]; }

  // The diagonal of the inverse, by Cholesky's decomposition.
  std::vector<double> inverse_diagonal() const;

 private:
  SymmetricMatrix root() const;

  std::size_t size_;
  std::vector<double> lower_;
};

}  // namespace ringspan
