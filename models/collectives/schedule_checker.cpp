#include "models/collectives/schedule_checker.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "models/collectives/race_finder.h"

namespace ringspan {

namespace {

constexpr std::size_t kMaxProblems = 20;

class Problems {
 public:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    if (count_++ < kMaxProblems) texts_.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  bool empty() const { return count_ == 0; }
  std::vector<std::string> take() {
    if (count_ > kMaxProblems) {
      texts_.push_back(fmt::format("... and {} more problems", count_ - kMaxProblems));
    }
    return std::move(texts_);
  }

 private:
  std::vector<std::string> texts_;
  std::size_t count_ = 0;
};

// What a collective starts from and promises, per (rank, block).
class Promise {
 public:
  explicit Promise(const Schedule& schedule) : schedule_(schedule), spec_(schedule.spec()) {}

  bool starts_with(std::int32_t rank, std::int64_t block) const {
    switch (spec_.kind) {
      case CollectiveKind::AllReduce:
      case CollectiveKind::ReduceScatter:
      case CollectiveKind::Reduce:
        return true;
      case CollectiveKind::Broadcast:
      case CollectiveKind::Scatter:
        return rank == spec_.root;
      case CollectiveKind::AllGather:
      case CollectiveKind::AllToAll:
      case CollectiveKind::Gather:
      case CollectiveKind::SendRecv:
        return rank == schedule_.block_owner(block);
    }
    return false;
  }

  bool ends_with(std::int32_t rank, std::int64_t block) const {
    switch (spec_.kind) {
      case CollectiveKind::AllReduce:
      case CollectiveKind::AllGather:
      case CollectiveKind::Broadcast:
        return true;
      case CollectiveKind::ReduceScatter:
      case CollectiveKind::Scatter:
        return rank == schedule_.block_owner(block);
      case CollectiveKind::Reduce:
      case CollectiveKind::Gather:
        return rank == spec_.root;
      case CollectiveKind::AllToAll:
        return rank == block % spec_.ranks;
      case CollectiveKind::SendRecv:
        return rank == (schedule_.block_owner(block) + 1) % spec_.ranks;
    }
    return false;
  }

 private:
  const Schedule& schedule_;
  const CollectiveSpec& spec_;
};

// Sets of ranks, one per (rank, block), as rows of words. Where nothing is reduced a block can only
// ever hold its one origin, and one bit says whether it does.
class Contributions {
 public:
  Contributions(const Schedule& schedule, const Promise& promise)
      : blocks_(schedule.block_count()),
        reduces_(collective_reduces(schedule.spec().kind)),
        words_(reduces_ ? (static_cast<std::size_t>(schedule.ranks()) + 63) / 64 : 1),
        sets_(static_cast<std::size_t>(schedule.ranks()) * static_cast<std::size_t>(blocks_) *
              words_) {
    for (std::int32_t rank = 0; rank < schedule.ranks(); ++rank) {
      for (std::int64_t block = 0; block < blocks_; ++block) {
        if (!promise.starts_with(rank, block)) continue;
        const auto bit = static_cast<std::size_t>(reduces_ ? rank : 0);
        row(rank, block)[bit / 64] |= std::uint64_t{1} << (bit % 64);
      }
    }
  }

  std::size_t words() const { return words_; }
  std::uint64_t* row(std::int32_t rank, std::int64_t block) {
    const auto cell = static_cast<std::size_t>(rank) * static_cast<std::size_t>(blocks_) +
                      static_cast<std::size_t>(block);
    return sets_.data() + cell * words_;
  }
  bool is_empty(const std::uint64_t* set) const {
    return std::all_of(set, set + words_, [](std::uint64_t word) { return word == 0; });
  }
  // Adds `from` to `to`; false if they have a rank in common.
  bool unite(const std::uint64_t* from, std::uint64_t* to) const {
    bool disjoint = true;
    for (std::size_t w = 0; w < words_; ++w) {
      disjoint = disjoint && (to[w] & from[w]) == 0;
      to[w] |= from[w];
    }
    return disjoint;
  }
  bool has_all(const std::uint64_t* set, int ranks) const {
    const int bits = reduces_ ? ranks : 1;
    for (int bit = 0; bit < bits; ++bit) {
      if ((set[bit / 64] >> (bit % 64) & 1) == 0) return false;
    }
    return true;
  }

 private:
  std::int64_t blocks_;
  bool reduces_;
  std::size_t words_;
  std::vector<std::uint64_t> sets_;
};

class Checker {
 public:
  explicit Checker(const Schedule& schedule)
      : schedule_(schedule), count_(schedule.operation_count()) {}

  std::vector<std::string> run() {
    check_blocks();
    // What follows reads only what the step before has found to be in range.
    if (problems_.empty()) check_transfers();
    if (problems_.empty()) check_dependencies();
    if (problems_.empty()) check_dependents();
    if (problems_.empty()) execute();
    return problems_.take();
  }

 private:
  void check_blocks();
  void check_transfers();
  template <typename T>
  void check_members(OperationId operation, const char* what, const std::vector<T>& members,
                     std::int64_t limit);
  void check_dependencies();
  void check_dependents();
  void execute();
  void execute_block(OperationId operation, const Transfer& move, std::int64_t block,
                     Contributions& held);
  void touch_block(const Transfer& move, std::int64_t block, RaceFinder& races) const;
  void check_promise(const Promise& promise, Contributions& held);

  const Schedule& schedule_;
  OperationId count_;
  Problems problems_;
  std::vector<std::uint64_t> sum_;
};

void Checker::check_blocks() {
  const std::int64_t blocks = schedule_.block_count();
  const std::int64_t divisor = schedule_.block_divisor();
  const std::int64_t n = schedule_.ranks();
  bool fits = blocks >= 1 && divisor >= 1;
  switch (schedule_.spec().kind) {
    case CollectiveKind::AllReduce:
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
      fits = fits && divisor == blocks;
      break;
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
      fits = fits && divisor == blocks && blocks % n == 0;
      break;
    case CollectiveKind::AllToAll:
      fits = fits && divisor == n && blocks == n * n;
      break;
    case CollectiveKind::SendRecv:
      fits = fits && blocks == divisor * n;
      break;
  }
  if (!fits) {
    problems_.add("{} blocks of 1/{} of the size do not make a {} of {} ranks", blocks, divisor,
                  collective_name(schedule_.spec().kind), n);
  }
}

template <typename T>
void Checker::check_members(OperationId operation, const char* what, const std::vector<T>& members,
                            std::int64_t limit) {
  if (members.empty()) problems_.add("operation {} has no {}", operation, what);
  std::vector<T> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] < 0 || sorted[i] >= limit) {
      problems_.add("operation {} names {} {} of {}", operation, what, sorted[i], limit);
    }
    if (i > 0 && sorted[i] == sorted[i - 1]) {
      problems_.add("operation {} names {} {} twice", operation, what, sorted[i]);
    }
  }
}

void Checker::check_transfers() {
  Transfer move;
  for (OperationId operation = 0; operation < count_; ++operation) {
    schedule_.transfer(operation, move);
    check_members(operation, "source", move.sources, schedule_.ranks());
    check_members(operation, "destination", move.destinations, schedule_.ranks());
    check_members(operation, "block", move.blocks, schedule_.block_count());
    if (move.action == TransferAction::Copy && move.sources.size() > 1) {
      problems_.add("operation {} copies from {} sources", operation, move.sources.size());
    }
  }
}

void Checker::check_dependencies() {
  std::vector<OperationId> list;
  for (OperationId operation = 0; operation < count_; ++operation) {
    schedule_.dependencies(operation, list);
    OperationId last = -1;
    for (const OperationId dependency : list) {
      if (dependency < 0 || dependency >= operation) {
        problems_.add("operation {} depends on {}, which is not an earlier one", operation,
                      dependency);
      } else if (dependency <= last) {
        problems_.add("operation {} names its dependencies out of order or twice: {}", operation,
                      dependency);
      }
      last = dependency;
    }
  }
}

void Checker::check_dependents() {
  // CSR of the inverse, filled in order of the followers, so that each list ascends.
  std::vector<std::size_t> begin(static_cast<std::size_t>(count_) + 1);
  std::vector<OperationId> list;
  for (OperationId operation = 0; operation < count_; ++operation) {
    schedule_.dependencies(operation, list);
    for (const OperationId d : list) ++begin[static_cast<std::size_t>(d) + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<OperationId> followers(begin.back());
  std::vector<std::size_t> end(begin.begin(), begin.end() - 1);
  for (OperationId operation = 0; operation < count_; ++operation) {
    schedule_.dependencies(operation, list);
    for (const OperationId d : list) followers[end[static_cast<std::size_t>(d)]++] = operation;
  }
  for (std::size_t i = 0; i < end.size(); ++i) {
    schedule_.dependents(static_cast<OperationId>(i), list);
    const auto from = followers.begin() + static_cast<std::ptrdiff_t>(begin[i]);
    const auto to = followers.begin() + static_cast<std::ptrdiff_t>(end[i]);
    if (!std::equal(from, to, list.begin(), list.end())) {
      problems_.add("operation {} has the dependents [{}], but [{}] wait for it", i,
                    fmt::join(list, ", "), fmt::join(from, to, ", "));
    }
  }
}

void Checker::execute_block(OperationId operation, const Transfer& move, std::int64_t block,
                            Contributions& held) {
  std::fill(sum_.begin(), sum_.end(), 0);
  for (const std::int32_t source : move.sources) {
    const std::uint64_t* sent = held.row(source, block);
    if (held.is_empty(sent)) {
      problems_.add("operation {} sends block {} that rank {} does not hold", operation, block,
                    source);
    }
    if (!held.unite(sent, sum_.data())) {
      problems_.add("operation {} counts a contribution to block {} twice in the switch", operation,
                    block);
    }
  }
  const bool adds = move.action == TransferAction::Reduce && move.sources.size() == 1;
  for (const std::int32_t destination : move.destinations) {
    std::uint64_t* row = held.row(destination, block);
    if (!adds) {
      std::copy(sum_.begin(), sum_.end(), row);
      continue;
    }
    if (held.is_empty(row)) {
      problems_.add("operation {} reduces into block {} that rank {} does not hold", operation,
                    block, destination);
    }
    if (!held.unite(sum_.data(), row)) {
      problems_.add("operation {} counts a contribution to block {} twice on rank {}", operation,
                    block, destination);
    }
  }
}

void Checker::touch_block(const Transfer& move, std::int64_t block, RaceFinder& races) const {
  const bool adds = move.action == TransferAction::Reduce && move.sources.size() == 1;
  for (const std::int32_t destination : move.destinations) {
    races.touch(destination, block, adds ? BlockAccess::Add : BlockAccess::Write);
  }
  for (const std::int32_t source : move.sources) {
    const auto& to = move.destinations;
    // A rank on both sides is touched once, by the stronger access.
    if (std::find(to.begin(), to.end(), source) == to.end()) {
      races.touch(source, block, BlockAccess::Read);
    }
  }
}

void Checker::execute() {
  const Promise promise(schedule_);
  Contributions held(schedule_, promise);
  RaceFinder finder(schedule_);
  sum_.resize(held.words());
  Transfer move;
  std::vector<Race> races;
  for (OperationId operation = 0; operation < count_; ++operation) {
    schedule_.transfer(operation, move);
    for (const std::int64_t block : move.blocks) {
      execute_block(operation, move, block, held);
      touch_block(move, block, finder);
    }
    races.clear();
    finder.end_operation(operation, races);
    for (const Race& race : races) {
      problems_.add("operations {} and {} race on block {} of rank {}", race.earlier, race.later,
                    race.block, race.rank);
    }
  }
  check_promise(promise, held);
}

void Checker::check_promise(const Promise& promise, Contributions& held) {
  for (std::int32_t rank = 0; rank < schedule_.ranks(); ++rank) {
    for (std::int64_t block = 0; block < schedule_.block_count(); ++block) {
      if (promise.ends_with(rank, block) &&
          !held.has_all(held.row(rank, block), schedule_.ranks())) {
        problems_.add("rank {} ends without all of block {}", rank, block);
      }
    }
  }
}

}  // namespace

std::vector<std::string> check_schedule(const Schedule& schedule) {
  return Checker(schedule).run();
}

}  // namespace ringspan
