// How flows of a FluidNetwork end, and in which order that is reported.

#include <algorithm>
#include <bit>

#include "sim/network/fluid_state.h"

namespace ringspan {

using fluid::Flow;
using fluid::kAlone;
using fluid::kNoTime;
using fluid::Link;
using fluid::Phase;

void FluidNetwork::State::advance(std::int64_t now, std::vector<FlowEvent>& events) {
  if (queue_.empty() || queue_.next_time() > instant(now)) {
    return;
  }
  solve();
  now_ = now;
  due_.clear();
  outcomes_.clear();
  while (!queue_.empty() && queue_.next_time() <= instant(now)) {
    queue_.pop_all(due_);
  }
  processed_ += static_cast<std::int64_t>(due_.size());
  for (auto event = due_.cbegin(); event != due_.cend();) {
    if (event->kind != kGroupEnd) {
      handle(*event++);
      continue;
    }
    // Groups that end one after the other are ended together.
    const auto last = std::find_if(event, due_.cend(),
                                   [](const Event& other) { return other.kind != kGroupEnd; });
    end_groups({event, last});
    event = last;
  }
  report_outcomes(events);
}

void FluidNetwork::State::handle(const Event& event) {
  switch (event.kind) {
    case kShare:
      end_wait(event.index);
      break;
    case kAloneEnd: {
      const Flow& flow = flows_[event.index];
      if (flow.phase == Phase::Sharing && flow.held_by == kAlone && lone_of(flow).finish == now_) {
        take_off_links(event.index, lone_of(flow).rate);
        transmitted(event.index);
      }
      break;
    }
    default:
      delivered(event.index);
      break;
  }
}

void FluidNetwork::State::end_groups(std::span<const Event> events) {
  ending_groups_.clear();
  for (const Event& event : events) {
    if (ends_now(event.index)) {
      ending_groups_.push_back({event.index, groups_.all_end(event.index, now_), false});
    }
  }
  find_clear_groups();
  for (const EndingGroup& ending : ending_groups_) {
    end_flows(ending);
  }
  for (const std::uint32_t index : leaving_links_) {
    Link& link = links_[index];
    if (link.leaving == kEveryone) {
      link.strip.clear();
    }
    link.leaving = 0;
  }
}

bool FluidNetwork::State::ends_now(std::uint32_t index) {
  fluid::Group& group = shares_[index].group;
  if (group.event_time != now_) {
    return false;
  }
  group.event_time = kNoTime;
  if (group.finish != now_ && group.finish != kNoTime) {
    // The group was slowed down after this event was queued.
    group.event_time = group.finish;
    queue_.push(instant(group.finish), {kGroupEnd, index});
  }
  return group.finish == now_;
}

// When all flows of a burst end at once, none need be taken off its links: that would visit a
// million hops and strip entries at random, and took a quarter of the run of 1,024 hosts.
void FluidNetwork::State::find_clear_groups() {
  leaving_links_.clear();
  for (const EndingGroup& ending : ending_groups_) {
    if (!ending.whole) {
      continue;
    }
    for (const fluid::Cell& cell : shares_[ending.link].group.cells) {
      if (cell.count > 0 && links_[cell.link].leaving == 0) {
        leaving_links_.push_back(cell.link);
      }
      links_[cell.link].leaving += cell.count;
    }
  }
  for (const std::uint32_t index : leaving_links_) {
    Link& link = links_[index];
    link.leaving = link.leaving == link.strip.size() ? kEveryone : 1;
  }
  for (EndingGroup& ending : ending_groups_) {
    const std::vector<fluid::Cell>& cells = shares_[ending.link].group.cells;
    ending.clear = ending.whole && std::all_of(cells.begin(), cells.end(), [&](const auto& cell) {
                     return cell.count == 0 || links_[cell.link].leaving == kEveryone;
                   });
  }
}

void FluidNetwork::State::end_flows(const EndingGroup& ending) {
  const double freed = shares_[ending.link].group.level;
  ending_.clear();
  if (ending.whole) {
    groups_.take_all(ending.link, ending_);
  } else {
    groups_.find_ending(ending.link, now_, ending_);
  }
  for (const std::uint32_t slot : ending_) {
    if (flows_[slot].phase != Phase::Sharing) {
      continue;  // found twice
    }
    if (!ending.clear) {
      take_off_links(slot, freed);
    }
    transmitted(slot);
  }
}

void FluidNetwork::State::transmitted(std::uint32_t slot) {
  Flow& flow = flows_[slot];
  flow.phase = Phase::Arriving;
  if (flow.notify_sent) {
    outcomes_.push_back({2 * flow.number, flow.tag});
  }
  const bool arrives_later = options_.latency_order == LatencyOrder::AfterTransmission;
  if (arrives_later && flows_.latency(slot) > 0) {
    queue_.push(instant(now_ + flows_.latency(slot)), {kArrive, slot});
  } else {
    delivered(slot);
  }
}

void FluidNetwork::State::delivered(std::uint32_t slot) {
  outcomes_.push_back({2 * flows_[slot].number + 1, flows_[slot].tag});
  flows_.release(slot);
  --under_way_;
}

// In the order of start; Sent before Delivered.
void FluidNetwork::State::report_outcomes(std::vector<FlowEvent>& events) {
  const auto earlier = [](const Outcome& a, const Outcome& b) { return a.order < b.order; };
  if (!std::is_sorted(outcomes_.begin(), outcomes_.end(), earlier)) {
    const auto [first, last] = std::minmax_element(outcomes_.begin(), outcomes_.end(), earlier);
    if (last->order - first->order <= 4 * outcomes_.size()) {
      report_dense(first->order, last->order, events);
      return;
    }
    std::sort(outcomes_.begin(), outcomes_.end(), earlier);
  }
  for (const Outcome& outcome : outcomes_) {
    events.push_back(event_of(outcome));
  }
}

// Orders are distinct and dense: a bit for each says which are there, and the number of bits below
// its own says where an outcome goes.
void FluidNetwork::State::report_dense(std::uint64_t lowest, std::uint64_t highest,
                                       std::vector<FlowEvent>& events) {
  present_.assign((highest - lowest) / 64 + 1, {});
  for (const Outcome& outcome : outcomes_) {
    const std::uint64_t bit = outcome.order - lowest;
    present_[bit / 64].bits |= std::uint64_t{1} << (bit % 64);
  }
  std::size_t place = events.size();
  for (PresentOrders& word : present_) {
    word.first_place = place;
    place += static_cast<std::size_t>(std::popcount(word.bits));
  }
  events.resize(place);
  for (const Outcome& outcome : outcomes_) {
    const std::uint64_t bit = outcome.order - lowest;
    const PresentOrders& word = present_[bit / 64];
    const std::uint64_t below = word.bits & ((std::uint64_t{1} << (bit % 64)) - 1);
    events[word.first_place + static_cast<std::size_t>(std::popcount(below))] = event_of(outcome);
  }
}

FlowEvent FluidNetwork::State::event_of(const Outcome& outcome) {
  const bool delivered = (outcome.order & 1) != 0;
  return {outcome.tag, delivered ? FlowEventKind::Delivered : FlowEventKind::Sent};
}

}  // namespace ringspan
