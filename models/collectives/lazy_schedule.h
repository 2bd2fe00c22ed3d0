#pragma once

// A schedule whose rounds are a formula while its operations are made in arrays when they are first
// asked for: `stream` needs the rounds alone.

#include <memory>
#include <vector>

#include "models/collectives/operation_table.h"
#include "models/collectives/schedule.h"

namespace ringspan {

class LazySchedule : public Schedule {
 public:
  std::int64_t block_count() const final { return shape_.block_count; }
  std::int64_t block_divisor() const final { return shape_.block_divisor; }
  Pacing pacing() const final { return shape_.pacing; }
  RoundOverlap overlap() const final { return shape_.overlap; }
  void transfer(OperationId operation, Transfer& out) const final {
    operations().transfer(operation, out);
  }
  void dependencies(OperationId operation, std::vector<OperationId>& out) const final {
    operations().dependencies(operation, out);
  }
  void dependents(OperationId operation, std::vector<OperationId>& out) const final {
    operations().dependents(operation, out);
  }

 protected:
  struct Shape {
    std::int64_t block_count = 1;
    std::int64_t block_divisor = 1;
    Pacing pacing = Pacing::Messages;
    RoundOverlap overlap = RoundOverlap::Sequential;
  };

  LazySchedule(const CollectiveSpec& spec, const Shape& shape) : Schedule(spec), shape_(shape) {}

  // As many as operation_count() says.
  virtual void add_operations(OperationTable& table) const = 0;

 private:
  const OperationTable& operations() const;

  Shape shape_;
  mutable std::unique_ptr<OperationTable> operations_;
};

}  // namespace ringspan
