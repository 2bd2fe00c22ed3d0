#include <algorithm>

#include "sim/network/queueing_state.h"

// Limited buffers: segments that wait for a place, and what gives them one.

namespace ringspan {

// A segment that finds no credit on some link waits there, and its passage is kept.
void QueueingNetwork::State::cross_with_credits(Passage& passage, std::int64_t now) {
  const Link& only = links_[hop(flows_[passage.flow], passage.first).link];
  const bool one_link = passage.beyond == passage.first + 1;
  if (one_link && (only.buffer == kNoIndex || buffers_[only.buffer].has_credit())) {
    const std::int64_t credit = only.buffer == kNoIndex ? 0 : buffers_[only.buffer].take();
    start_on(passage, passage.first, std::max(now, credit));
    complete(passage);
  } else {
    keep_and_cross(passage, now);
  }
  while (!completed_.empty()) {
    const std::uint32_t done = completed_.back();
    const Passage ended = passages_[done];
    completed_.pop_back();
    free_passages_.push_back(done);
    complete(ended);
  }
}

void QueueingNetwork::State::keep_and_cross(const Passage& begun, std::int64_t now) {
  std::uint32_t index = 0;
  if (free_passages_.empty()) {
    index = static_cast<std::uint32_t>(passages_.size());
    passages_.push_back(begun);
  } else {
    index = free_passages_.back();
    free_passages_.pop_back();
    passages_[index] = begun;
  }
  Passage& passage = passages_[index];
  for (std::uint32_t h = passage.first; h < passage.beyond; ++h) {
    const Link& link = links_[hop(flows_[passage.flow], h).link];
    if (link.buffer == kNoIndex) {
      start_on(passage, h, now);
    } else if (buffers_[link.buffer].has_credit()) {
      start_on(passage, h, std::max(now, buffers_[link.buffer].take()));
    } else {
      buffers_[link.buffer].wait({index, h, now});
      ++passage.open;
    }
  }
  if (passage.open == 0) {
    completed_.push_back(index);
  }
}

// The places held on the stage before are free when the tail has left this stage; those behind the
// last stage when the tail has arrived.
void QueueingNetwork::State::give_credits(const Passage& passage) {
  const Flow& flow = flows_[passage.flow];
  for (std::uint32_t h = passage.first; h-- > 0;) {
    if (h + 1 < passage.first && hop(flow, h).ends_stage != 0) {
      break;
    }
    give_credit(hop(flow, h).link, passage.latest_end);
  }
  if (passage.beyond == flow.path.hops) {
    for (std::uint32_t h = passage.first; h < passage.beyond; ++h) {
      give_credit(hop(flow, h).link, passage.ready);
    }
  }
}

void QueueingNetwork::State::give_credit(std::uint32_t index, std::int64_t at) {
  const Link& link = links_[index];
  if (link.buffer == kNoIndex) {
    return;
  }
  CreditBuffer& buffer = buffers_[link.buffer];
  buffer.give(at + link.latency);
  while (buffer.somebody_can_go()) {
    const CreditBuffer::Waiting next = buffer.next_waiting();
    Passage& passage = passages_[next.passage];
    start_on(passage, next.hop, std::max(next.arrival, buffer.take()));
    if (--passage.open == 0) {
      completed_.push_back(next.passage);
    }
  }
}

std::vector<WaitingSegment> QueueingNetwork::State::waiting() const {
  std::vector<WaitingSegment> heads;
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    if (links_[i].buffer == kNoIndex || !buffers_[links_[i].buffer].somebody_waits()) {
      continue;
    }
    const Passage& passage = passages_[buffers_[links_[i].buffer].first_waiting().passage];
    const Flow& flow = flows_[passage.flow];
    heads.push_back({flow.tag, i,
                     passage.first == 0 ? WaitingSegment::kSource
                                        : std::int64_t{hop(flow, passage.first - 1).link}});
  }
  return heads;
}

}  // namespace ringspan
