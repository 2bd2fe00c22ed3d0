#pragma once

// Operations held in arrays, for schedules whose transfers are no formula of the operation's
// number: 32 bytes per operation and 4 or 8 per rank, block and dependency it names.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/collectives/schedule.h"

namespace ringspan {

class OperationTable {
 public:
  // Appends an operation and returns its number. `after` names earlier ones, in any order.
  OperationId add(const Transfer& transfer, std::span<const OperationId> after);
  // Call once, after the last add().
  void finish() { dependents_ = dependencies_.inverted(); }

  OperationId count() const { return static_cast<OperationId>(actions_.size()); }
  // As those of Schedule.
  void transfer(OperationId operation, Transfer& out) const;
  void dependencies(OperationId operation, std::vector<OperationId>& out) const {
    dependencies_.copy(operation, out);
  }
  void dependents(OperationId operation, std::vector<OperationId>& out) const {
    dependents_.copy(operation, out);
  }

 private:
  // Lists of different lengths in one array: list i is [begin[i], begin[i+1]).
  template <typename T>
  class Lists {
   public:
    void add(std::span<const T> members) {
      members_.insert(members_.end(), members.begin(), members.end());
      begin_.push_back(members_.size());
    }
    void copy(std::int64_t list, std::vector<T>& out) const {
      out.assign(members_.begin() + begin(list), members_.begin() + begin(list + 1));
    }
    // For every number below the count of lists: the lists that name it, ascending.
    Lists inverted() const;

   private:
    std::ptrdiff_t begin(std::int64_t list) const {
      return static_cast<std::ptrdiff_t>(begin_[static_cast<std::size_t>(list)]);
    }

    std::vector<std::size_t> begin_ = {0};
    std::vector<T> members_;
  };

  std::vector<TransferAction> actions_;
  Lists<std::int32_t> sources_;
  Lists<std::int32_t> destinations_;
  Lists<std::int64_t> blocks_;
  Lists<OperationId> dependencies_;
  Lists<OperationId> dependents_;
};

}  // namespace ringspan
