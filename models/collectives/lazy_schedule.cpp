#include "models/collectives/lazy_schedule.h"

#include "sim/base/check.h"

namespace ringspan {

const OperationTable& LazySchedule::operations() const {
  if (operations_ == nullptr) {
    operations_ = std::make_unique<OperationTable>();
    add_operations(*operations_);
    operations_->finish();
    RINGSPAN_CHECK(operations_->count() == operation_count(),
                   "a schedule counts its operations right");
  }
  return *operations_;
}

}  // namespace ringspan
