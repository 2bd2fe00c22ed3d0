#include "tests/unit/collectives/editable_schedule.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ringspan {

EditableSchedule::EditableSchedule(const CollectiveSpec& spec, std::int64_t blocks,
                                   std::int64_t divisor)
    : Schedule(spec), blocks_(blocks), divisor_(divisor) {}

EditableSchedule::EditableSchedule(const Schedule& original)
    : Schedule(original.spec()),
      blocks_(original.block_count()),
      divisor_(original.block_divisor()) {
  for (OperationId i = 0; i < original.operation_count(); ++i) {
    Operation copy;
    original.transfer(i, copy.transfer);
    original.dependencies(i, copy.after);
    operations.push_back(std::move(copy));
  }
}

void EditableSchedule::erase(OperationId operation) {
  operations.erase(operations.begin() + operation);
  for (Operation& other : operations) {
    std::erase(other.after, operation);
    for (OperationId& dependency : other.after) dependency -= dependency > operation ? 1 : 0;
  }
}

void EditableSchedule::insert(OperationId place, Operation operation) {
  for (Operation& other : operations) {
    for (OperationId& dependency : other.after) dependency += dependency >= place ? 1 : 0;
  }
  operations.insert(operations.begin() + place, std::move(operation));
}

void EditableSchedule::transfer(OperationId operation, Transfer& out) const {
  out = operations[static_cast<std::size_t>(operation)].transfer;
}

void EditableSchedule::dependencies(OperationId operation, std::vector<OperationId>& out) const {
  out = operations[static_cast<std::size_t>(operation)].after;
}

void EditableSchedule::dependents(OperationId operation, std::vector<OperationId>& out) const {
  if (claimed_dependents) {
    out = (*claimed_dependents)[static_cast<std::size_t>(operation)];
    return;
  }
  out.clear();
  for (OperationId i = 0; i < operation_count(); ++i) {
    const std::vector<OperationId>& after = operations[static_cast<std::size_t>(i)].after;
    if (std::find(after.begin(), after.end(), operation) != after.end()) out.push_back(i);
  }
}

}  // namespace ringspan
