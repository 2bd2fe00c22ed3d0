#include "models/collectives/lazy_schedule.h"

#include "sim/base/check.h"

namespace ringspan {

const Schedule& LazySchedule::operations() const {
  if (operations_ == nullptr) {
    ScheduleBuilder builder(spec(), shape_);
    add_operations(builder);
    operations_ = builder.build();
    RINGSPAN_CHECK(operations_->operation_count() == operation_count(),
                   "a schedule counts its operations right");
  }
  return *operations_;
}

}  // namespace ringspan
