#include "sim/base/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ringspan {

namespace {

class Workers {
 public:
  Workers(std::size_t count, const std::function<void(std::size_t)>& task)
      : count_(count), task_(task) {}

  bool run(std::size_t threads, const std::function<bool()>& go_on) {
    running_ = threads;
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
    watch(go_on);
    workers.clear();
    if (failure_) std::rethrow_exception(failure_);
    return done_.load() == count_;
  }

 private:
  void work() {
    try {
      while (!stop_.load()) {
        const std::size_t next = next_.fetch_add(1);
        if (next >= count_) break;
        task_(next);
        ++done_;
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
    const std::scoped_lock lock(mutex_);
    --running_;
    finished_.notify_one();
  }

  void watch(const std::function<bool()>& go_on) {
    constexpr std::chrono::milliseconds kBetween{50};
    std::unique_lock lock(mutex_);
    while (!finished_.wait_for(lock, kBetween, [this] { return running_ == 0; })) {
      if (go_on && !go_on()) stop_ = true;
    }
  }

  std::size_t count_;
  const std::function<void(std::size_t)>& task_;
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> next_ = 0, done_ = 0;
  std::mutex mutex_;
  std::condition_variable finished_;
  std::size_t running_ = 0;  // under mutex_, as failure_ is
  std::exception_ptr failure_;
};

}  // namespace

bool run_side_by_side(std::size_t count, int threads,
                      const std::function<void(std::size_t task)>& task,
                      const std::function<bool()>& go_on) {
  const std::size_t most = std::max<std::size_t>(1, count);
  return Workers(count, task)
      .run(std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1, most), go_on);
}

}  // namespace ringspan
