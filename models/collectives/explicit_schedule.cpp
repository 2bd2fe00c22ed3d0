#include "models/collectives/explicit_schedule.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// Lists of different lengths in one array: list i is [begin[i], begin[i+1]).
template <typename T>
class Lists {
 public:
  template <typename Range>
  void add(const Range& members) {
    members_.insert(members_.end(), members.begin(), members.end());
    begin_.push_back(members_.size());
  }

  std::size_t size() const { return begin_.size() - 1; }
  std::span<const T> at(std::int64_t list) const {
    const auto i = static_cast<std::size_t>(list);
    return std::span<const T>(members_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }

  // For every number below size(): the lists that name it, ascending.
  Lists inverted() const {
    Lists inverse;
    inverse.begin_.assign(begin_.size(), 0);
    inverse.members_.resize(members_.size());
    for (const T member : members_) ++inverse.begin_[static_cast<std::size_t>(member) + 1];
    for (std::size_t i = 1; i < begin_.size(); ++i) inverse.begin_[i] += inverse.begin_[i - 1];
    std::vector<std::size_t> end(inverse.begin_.begin(), inverse.begin_.end() - 1);
    for (std::size_t list = 0; list < size(); ++list) {
      for (const T member : at(static_cast<std::int64_t>(list))) {
        inverse.members_[end[static_cast<std::size_t>(member)]++] = static_cast<T>(list);
      }
    }
    return inverse;
  }

 private:
  std::vector<std::size_t> begin_ = {0};
  std::vector<T> members_;
};

}  // namespace

class ScheduleBuilder::ExplicitSchedule final : public Schedule {
 public:
  ExplicitSchedule(const CollectiveSpec& spec, const Shape& shape)
      : Schedule(spec), shape_(shape) {}

  OperationId add(const Transfer& transfer, std::span<const OperationId> after) {
    const OperationId operation = operation_count();
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
  void add_round(Round round) { rounds_.push_back(std::move(round)); }
  void finish() { dependents_ = dependencies_.inverted(); }

  std::int64_t block_count() const override { return shape_.block_count; }
  std::int64_t block_divisor() const override { return shape_.block_divisor; }
  OperationId operation_count() const override { return static_cast<OperationId>(actions_.size()); }

  void transfer(OperationId operation, Transfer& out) const override {
    out.action = actions_[static_cast<std::size_t>(operation)];
    copy(sources_.at(operation), out.sources);
    copy(destinations_.at(operation), out.destinations);
    copy(blocks_.at(operation), out.blocks);
  }
  void dependencies(OperationId operation, std::vector<OperationId>& out) const override {
    copy(dependencies_.at(operation), out);
  }
  void dependents(OperationId operation, std::vector<OperationId>& out) const override {
    copy(dependents_.at(operation), out);
  }

  Pacing pacing() const override { return shape_.pacing; }
  RoundOverlap overlap() const override { return shape_.overlap; }
  std::vector<Round> rounds() const override { return rounds_; }

 private:
  template <typename T>
  static void copy(std::span<const T> from, std::vector<T>& to) {
    to.assign(from.begin(), from.end());
  }

  Shape shape_;
  std::vector<TransferAction> actions_;
  Lists<std::int32_t> sources_;
  Lists<std::int32_t> destinations_;
  Lists<std::int64_t> blocks_;
  Lists<OperationId> dependencies_;
  Lists<OperationId> dependents_;
  std::vector<Round> rounds_;
};

ScheduleBuilder::ScheduleBuilder(const CollectiveSpec& spec, const Shape& shape)
    : schedule_(std::make_unique<ExplicitSchedule>(spec, shape)) {}

ScheduleBuilder::~ScheduleBuilder() = default;

OperationId ScheduleBuilder::add(const Transfer& transfer, std::span<const OperationId> after) {
  return schedule_->add(transfer, after);
}

void ScheduleBuilder::add_round(Round round) { schedule_->add_round(std::move(round)); }

std::unique_ptr<Schedule> ScheduleBuilder::build() {
  RINGSPAN_CHECK(schedule_ != nullptr, "a builder builds once");
  schedule_->finish();
  return std::move(schedule_);
}

}  // namespace ringspan
