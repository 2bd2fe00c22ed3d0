#pragma once

#include <cstddef>
#include <functional>

namespace ringspan {

// Does tasks 0..count-1 on a few threads; each must write to a place of its own. Asks `go_on` now
// and then from the calling thread: false stops before the next tasks. Whether all were done. An
// exception of a task is thrown here once the others have ended.
bool run_side_by_side(std::size_t count, int threads,
                      const std::function<void(std::size_t task)>& task,
                      const std::function<bool()>& go_on);

}  // namespace ringspan
