// Broken schedules are refused. Mutants of every registered algorithm are given to the checker and
// executed in random orders; whatever the checker lets pass must come out right in all of them.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/collectives/schedule_checker.h"
#include "sim/base/random.h"
#include "tests/unit/collectives/random_execution.h"
#include "tests/unit/collectives/schedule_cases.h"

namespace ringspan {
namespace {

template <typename T>
T& any_of(std::vector<T>& items, Random& random) {
  return items[random.below(items.size())];
}

OperationId any_operation(const EditableSchedule& schedule, Random& random) {
  return static_cast<OperationId>(random.below(schedule.operations.size()));
}

// Each changes one thing, or returns false if it found nothing to change.
using Mutation = bool (*)(EditableSchedule&, Random&);

bool drop_operation(EditableSchedule& schedule, Random& random) {
  schedule.erase(any_operation(schedule, random));
  return true;
}

bool bypass_operation(EditableSchedule& schedule, Random& random) {
  // As drop_operation, but what waited for it now waits for what it waited for.
  const OperationId gone = any_operation(schedule, random);
  const auto inherited = schedule.operations[static_cast<std::size_t>(gone)].after;
  for (auto& operation : schedule.operations) {
    auto& after = operation.after;
    if (std::find(after.begin(), after.end(), gone) == after.end()) continue;
    after.insert(after.end(), inherited.begin(), inherited.end());
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
  }
  schedule.erase(gone);
  return true;
}

bool drop_dependency(EditableSchedule& schedule, Random& random) {
  auto& after = any_of(schedule.operations, random).after;
  if (after.empty()) return false;
  after.erase(after.begin() + static_cast<std::ptrdiff_t>(random.below(after.size())));
  return true;
}

bool move_dependency(EditableSchedule& schedule, Random& random) {
  const OperationId operation = any_operation(schedule, random);
  auto& after = schedule.operations[static_cast<std::size_t>(operation)].after;
  if (after.empty()) return false;
  const auto other = static_cast<OperationId>(random.below(static_cast<std::uint64_t>(operation)));
  if (std::find(after.begin(), after.end(), other) != after.end()) return false;
  any_of(after, random) = other;
  std::sort(after.begin(), after.end());
  return true;
}

bool change_rank(std::vector<std::int32_t>& ranks, int n, Random& random) {
  const auto other = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(n)));
  if (std::find(ranks.begin(), ranks.end(), other) != ranks.end()) return false;
  any_of(ranks, random) = other;
  return true;
}

bool change_destination(EditableSchedule& schedule, Random& random) {
  return change_rank(any_of(schedule.operations, random).transfer.destinations, schedule.ranks(),
                     random);
}

bool change_source(EditableSchedule& schedule, Random& random) {
  return change_rank(any_of(schedule.operations, random).transfer.sources, schedule.ranks(),
                     random);
}

bool drop_rank(EditableSchedule& schedule, Random& random) {
  Transfer& move = any_of(schedule.operations, random).transfer;
  auto& ranks = move.sources.size() > 1 ? move.sources : move.destinations;
  if (ranks.size() < 2) return false;
  ranks.erase(ranks.begin() + static_cast<std::ptrdiff_t>(random.below(ranks.size())));
  return true;
}

bool change_block(EditableSchedule& schedule, Random& random) {
  auto& blocks = any_of(schedule.operations, random).transfer.blocks;
  const auto other =
      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(schedule.block_count())));
  if (std::find(blocks.begin(), blocks.end(), other) != blocks.end()) return false;
  any_of(blocks, random) = other;
  return true;
}

bool drop_block(EditableSchedule& schedule, Random& random) {
  auto& blocks = any_of(schedule.operations, random).transfer.blocks;
  if (blocks.size() < 2) return false;
  blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(random.below(blocks.size())));
  return true;
}

bool swap_blocks(EditableSchedule& schedule, Random& random) {
  Transfer& a = any_of(schedule.operations, random).transfer;
  Transfer& b = any_of(schedule.operations, random).transfer;
  if (a.blocks == b.blocks) return false;
  std::swap(a.blocks, b.blocks);
  return true;
}

bool swap_transfers(EditableSchedule& schedule, Random& random) {
  const OperationId a = any_operation(schedule, random);
  const OperationId b = any_operation(schedule, random);
  if (a == b) return false;
  std::swap(schedule.operations[static_cast<std::size_t>(a)].transfer,
            schedule.operations[static_cast<std::size_t>(b)].transfer);
  return true;
}

bool duplicate_operation(EditableSchedule& schedule, Random& random) {
  const OperationId original = any_operation(schedule, random);
  auto copy = schedule.operations[static_cast<std::size_t>(original)];
  copy.after = {original};
  schedule.insert(original + 1, std::move(copy));
  return true;
}

bool change_action(EditableSchedule& schedule, Random& random) {
  TransferAction& action = any_of(schedule.operations, random).transfer.action;
  action = action == TransferAction::Copy ? TransferAction::Reduce : TransferAction::Copy;
  return true;
}

bool turn_round(EditableSchedule& schedule, Random& random) {
  Transfer& move = any_of(schedule.operations, random).transfer;
  std::swap(move.sources, move.destinations);
  return true;
}

const std::map<std::string, Mutation>& mutations() {
  static const std::map<std::string, Mutation> kMutations = {
      {"drop operation", drop_operation},
      {"bypass operation", bypass_operation},
      {"drop dependency", drop_dependency},
      {"move dependency", move_dependency},
      {"change source", change_source},
      {"change destination", change_destination},
      {"drop rank", drop_rank},
      {"change block", change_block},
      {"drop block", drop_block},
      {"swap blocks", swap_blocks},
      {"swap transfers", swap_transfers},
      {"duplicate operation", duplicate_operation},
      {"change action", change_action},
      {"turn round", turn_round}};
  return kMutations;
}

// How many random orders give a wrong result.
int wrong_orders(const EditableSchedule& schedule, int orders, Random& random) {
  int wrong = 0;
  for (int i = 0; i < orders; ++i) wrong += random_execution_is_right(schedule, random) ? 0 : 1;
  return wrong;
}

struct Tally {
  int made = 0;
  int refused = 0;
  int shown_wrong = 0;
};

class MutatedSchedule : public ::testing::TestWithParam<ScheduleCase> {
 protected:
  // One mutant, judged by the checker and by execution.
  void judge(const EditableSchedule& mutant, const std::string& what, Random& random,
             Tally& tally) {
    ++tally.made;
    const std::vector<std::string> problems = check_schedule(mutant);
    if (problems.empty()) {
      EXPECT_EQ(wrong_orders(mutant, 60, random), 0) << what << ": accepted, but wrong";
      return;
    }
    ++tally.refused;
    if (wrong_orders(mutant, 20, random) > 0) ++tally.shown_wrong;
  }
};

TEST_P(MutatedSchedule, UnchangedItComesOutRightInEveryOrderTried) {
  Random random(1);
  for (const int ranks : {2, 3, 5, 6, 8}) {
    const EditableSchedule schedule(*build_schedule(GetParam(), ranks, ranks / 2));
    EXPECT_EQ(wrong_orders(schedule, 20, random), 0) << ranks << " ranks";
  }
}

TEST_P(MutatedSchedule, IsRefusedUnlessItIsStillRight) {
  Random random(2);
  Tally tally;
  for (const int ranks : {3, 5, 6}) {
    const EditableSchedule original(*build_schedule(GetParam(), ranks, 1, nodes_of(ranks, 2)));
    for (const auto& [what, mutate] : mutations()) {
      for (int i = 0; i < 4; ++i) {
        EditableSchedule mutant = original;
        if (mutate(mutant, random)) judge(mutant, what, random, tally);
      }
    }
  }
  // 29 pairs of algorithm and collective: over 2,300 mutants in all.
  EXPECT_GE(tally.made, 80);
  // Mutations that order more loosely than needed, or repeat a copy, do no harm and are let pass.
  EXPECT_GE(tally.refused, tally.made * 6 / 10);
  // The checker asks for more than a right result: it also refuses a race between equal values, or
  // a copy of nothing that is overwritten later. That is rare.
  EXPECT_GE(tally.shown_wrong, tally.refused * 85 / 100);
}

INSTANTIATE_TEST_SUITE_P(Registered, MutatedSchedule, ::testing::ValuesIn(all_schedule_cases()),
                         schedule_case_name);

}  // namespace
}  // namespace ringspan
