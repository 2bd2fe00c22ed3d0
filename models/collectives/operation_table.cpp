#include "models/collectives/operation_table.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan {

template <typename T>
OperationTable::Lists<T> OperationTable::Lists<T>::inverted() const {
  Lists inverse;
  inverse.begin_.assign(begin_.size(), 0);
  inverse.members_.resize(members_.size());
  for (const T member : members_) ++inverse.begin_[static_cast<std::size_t>(member) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) inverse.begin_[i] += inverse.begin_[i - 1];
  std::vector<std::size_t> end(inverse.begin_.begin(), inverse.begin_.end() - 1);
  for (std::size_t list = 0; list + 1 < begin_.size(); ++list) {
    for (std::size_t i = begin_[list]; i < begin_[list + 1]; ++i) {
      inverse.members_[end[static_cast<std::size_t>(members_[i])]++] = static_cast<T>(list);
    }
  }
  return inverse;
}

template class OperationTable::Lists<OperationId>;

OperationId OperationTable::add(const Transfer& transfer, std::span<const OperationId> after) {
  const OperationId operation = count();
  std::vector<OperationId> sorted(after.begin(), after.end());
  std::sort(sorted.begin(), sorted.end());
  RINGSPAN_CHECK(sorted.empty() || (sorted.front() >= 0 && sorted.back() < operation),
                 "an operation comes after those it depends on");
  actions_.push_back(transfer.action);
  sources_.add(transfer.sources);
  destinations_.add(transfer.destinations);
  blocks_.add(transfer.blocks);
  dependencies_.add(sorted);
  return operation;
}

void OperationTable::transfer(OperationId operation, Transfer& out) const {
  out.action = actions_[static_cast<std::size_t>(operation)];
  sources_.copy(operation, out.sources);
  destinations_.copy(operation, out.destinations);
  blocks_.copy(operation, out.blocks);
}

}  // namespace ringspan
