#pragma once

// What every rank gives to a collective and what it must get, known without running it.
// Where data is only moved, it is bytes of which no two near ones are alike. Where it is reduced,
// it is whole numbers so small that every order of the sum gives the same, exact result; an average
// is compared within the rounding of its type.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/collectives/collective.h"
#include "validation/replay/element_type.h"

namespace ringspan {

struct ReferenceSpec {
  CollectiveKind kind = CollectiveKind::AllReduce;
  std::string dtype = "float";
  std::string op = "sum";
  int ranks = 1;
  int root = 0;
  std::int64_t count = 0;  // elements, as in nccl-tests' column
};

class ReferenceData {
 public:
  // Throws InputError for an unknown data type or reduction.
  explicit ReferenceData(ReferenceSpec spec);

  // What `rank` gives: as many bytes as buffer_layout() says.
  void fill(int rank, std::span<std::byte> send) const;
  // How many elements of what `rank` got are wrong.
  std::int64_t wrong(int rank, std::span<const std::byte> received) const;

 private:
  double value(int rank, std::int64_t index) const;
  double reduced(std::int64_t index) const;
  bool agrees(double expected, double received) const;
  std::int64_t wrong_reduced(std::int64_t first, std::span<const std::byte> received) const;
  std::int64_t wrong_moved(int from, std::int64_t first_byte,
                           std::span<const std::byte> received) const;

  ReferenceSpec spec_;
  ElementType type_;
  // Elements repeat with this period: what a rank gives, and what the reduction is.
  std::vector<std::vector<std::byte>> given_;
  std::vector<std::byte> expected_;
  std::vector<double> expected_values_;
};

}  // namespace ringspan
