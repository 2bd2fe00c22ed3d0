#pragma once

// A schedule in plain, public vectors: tests break it and see whether anyone notices.

#include <optional>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

class EditableSchedule final : public Schedule {
 public:
  struct Operation {
    Transfer transfer;
    std::vector<OperationId> after;
  };

  EditableSchedule(const CollectiveSpec& spec, std::int64_t blocks, std::int64_t divisor);
  explicit EditableSchedule(const Schedule& original);

  std::vector<Operation> operations;
  // Given instead of the inverse of the dependencies, to lie about it.
  std::optional<std::vector<std::vector<OperationId>>> claimed_dependents;

  // Takes the operation out; those after it move up by one and no longer wait for it.
  void erase(OperationId operation);
  // Puts one in at `place`; those from there on move down.
  void insert(OperationId place, Operation operation);

  std::int64_t block_count() const override { return blocks_; }
  std::int64_t block_divisor() const override { return divisor_; }
  OperationId operation_count() const override {
    return static_cast<OperationId>(operations.size());
  }
  void transfer(OperationId operation, Transfer& out) const override;
  void dependencies(OperationId operation, std::vector<OperationId>& out) const override;
  void dependents(OperationId operation, std::vector<OperationId>& out) const override;
  Pacing pacing() const override { return Pacing::Messages; }
  RoundOverlap overlap() const override { return RoundOverlap::Sequential; }
  std::vector<Round> rounds() const override { return {}; }

 private:
  std::int64_t blocks_;
  std::int64_t divisor_;
};

}  // namespace ringspan
