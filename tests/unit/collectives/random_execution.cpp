#include "tests/unit/collectives/random_execution.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ringspan {

namespace {

// How often each rank's contribution is in a block; the last entry counts what was never sent
// there: memory that held nothing.
using Content = std::vector<int>;

class Execution {
 public:
  Execution(const EditableSchedule& schedule, Random& random)
      : schedule_(schedule), random_(random), n_(schedule.ranks()) {
    for (int rank = 0; rank < n_; ++rank) {
      for (std::int64_t block = 0; block < schedule.block_count(); ++block) {
        Content content(static_cast<std::size_t>(n_) + 1, 0);
        content[static_cast<std::size_t>(starts_with(rank, block) ? rank : n_)] = 1;
        contents_.push_back(std::move(content));
      }
    }
  }

  bool run() {
    const std::size_t count = schedule_.operations.size();
    waiting_.assign(count, Waiting);
    sums_.resize(count);
    reads_late_.resize(count);
    for (std::size_t i = 0; i < count; ++i) reads_late_[i] = random_.below(2) == 0;
    // One operation is held back for as long as anything else can go: rare orders come up.
    victim_ = count == 0 ? 0 : random_.below(count);
    holds_start_ = random_.below(2) == 0;
    while (step()) {
    }
    return ends_right();
  }

 private:
  enum State { Waiting, Moving, Done };

  bool starts_with(int rank, std::int64_t block) const {
    using enum CollectiveKind;
    const CollectiveSpec& spec = schedule_.spec();
    const std::int64_t share = std::max<std::int64_t>(schedule_.block_count() / n_, 1);
    if (collective_reduces(spec.kind)) return true;
    if (spec.kind == Broadcast || spec.kind == Scatter) return rank == spec.root;
    return rank == block / share;
  }

  Content promised(std::int64_t block) const {
    Content content(static_cast<std::size_t>(n_) + 1, 0);
    for (int rank = 0; rank < n_; ++rank) {
      content[static_cast<std::size_t>(rank)] = starts_with(rank, block) ? 1 : 0;
    }
    return content;
  }

  bool must_end_with(int rank, std::int64_t block) const {
    using enum CollectiveKind;
    const CollectiveSpec& spec = schedule_.spec();
    const std::int64_t share = std::max<std::int64_t>(schedule_.block_count() / n_, 1);
    switch (spec.kind) {
      case AllReduce:
      case AllGather:
      case Broadcast:
        return true;
      case ReduceScatter:
      case Scatter:
        return rank == block / share;
      case Reduce:
      case Gather:
        return rank == spec.root;
      case AllToAll:
        return rank == block % n_;
      case SendRecv:
        return rank == (block / share + 1) % n_;
    }
    return true;
  }

  bool ends_right() {
    for (int rank = 0; rank < n_; ++rank) {
      for (std::int64_t block = 0; block < schedule_.block_count(); ++block) {
        if (must_end_with(rank, block) && at(rank, block) != promised(block)) return false;
      }
    }
    return true;
  }

  Content& at(int rank, std::int64_t block) {
    return contents_[static_cast<std::size_t>(rank * schedule_.block_count() + block)];
  }

  bool may_start(std::size_t i) const {
    const auto& after = schedule_.operations[i].after;
    return std::all_of(after.begin(), after.end(), [&](OperationId dependency) {
      return waiting_[static_cast<std::size_t>(dependency)] == Done;
    });
  }

  // Starts or finishes one operation; false when all are done.
  bool step() {
    candidates_.clear();
    bool victim_could = false;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i] == Done || (waiting_[i] == Waiting && !may_start(i))) continue;
      const bool held = i == victim_ && (waiting_[i] == Moving || holds_start_);
      if (held) {
        victim_could = true;
      } else {
        candidates_.push_back(i);
      }
    }
    if (candidates_.empty() && !victim_could) return false;
    const std::size_t i =
        candidates_.empty() ? victim_ : candidates_[random_.below(candidates_.size())];
    if (waiting_[i] == Waiting) {
      if (!reads_late_[i]) read(i);
      waiting_[i] = Moving;
    } else {
      if (reads_late_[i]) read(i);
      write(i);
      waiting_[i] = Done;
    }
    return true;
  }

  void read(std::size_t i) {
    const Transfer& move = schedule_.operations[i].transfer;
    for (const std::int64_t block : move.blocks) {
      Content sum(static_cast<std::size_t>(n_) + 1, 0);
      for (const int source : move.sources) add(at(source, block), sum);
      sums_[i].push_back(std::move(sum));
    }
  }

  void write(std::size_t i) {
    const Transfer& move = schedule_.operations[i].transfer;
    const bool adds = move.action == TransferAction::Reduce && move.sources.size() == 1;
    for (std::size_t b = 0; b < move.blocks.size(); ++b) {
      for (const int destination : move.destinations) {
        Content& content = at(destination, move.blocks[b]);
        if (!adds) std::fill(content.begin(), content.end(), 0);
        add(sums_[i][b], content);
      }
    }
  }

  static void add(const Content& from, Content& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  }

  const EditableSchedule& schedule_;
  Random& random_;
  int n_;
  std::vector<Content> contents_;
  std::vector<State> waiting_;
  std::vector<std::vector<Content>> sums_;  // what an operation carries, per block
  std::vector<bool> reads_late_;
  std::vector<std::size_t> candidates_;
  std::size_t victim_ = 0;
  bool holds_start_ = false;
};

}  // namespace

bool random_execution_is_right(const EditableSchedule& schedule, Random& random) {
  return Execution(schedule, random).run();
}

}  // namespace ringspan
