#include "models/workloads/chunk_process.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// Timers: a connection has prepared its next slice; one has been copied out of the buffer.
constexpr std::uint32_t kPrepared = 1;
constexpr std::uint32_t kCopied = 2;

}  // namespace

ChunkProcess::ChunkProcess(const CollectivePlan& plan, const SizeCut& cut, RunObserver* observer,
                           FlowTag first_tag)
    : plan_(plan),
      cut_(cut),
      observer_(observer),
      first_tag_(first_tag),
      cost_(*plan.profile, plan.outline->algorithm, plan.protocol) {
  const std::int64_t per_operation = (cut.loops - 1) * cut.slices + cut.last_slices;
  copies_at_end_ = cost_.receive_time(cut.block_payload) > Duration{};
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    first_connection_.push_back(connections());
    graphs_.emplace_back(*plan.outline->classes[c].schedule, plan.classes[c]);
    arrived_.emplace_back(graphs_.back().size(), 0);
    sent_.emplace_back(graphs_.back().size(), 0);
    for (std::uint32_t k = 0; k < graphs_.back().connections(); ++k) {
      Connection connection;
      connection.class_index = static_cast<std::uint32_t>(c);
      connection.number = k;
      connection.edge = graphs_.back().edge_of(k);
      connections_.push_back(connection);
      if (copies(connections_.back())) copies_left_ += per_operation;
    }
    total_ += graphs_.back().size() * per_operation;
  }
}

void ChunkProcess::on_start(Simulation& simulation) {
  if (observer_ != nullptr) observer_->slices_begin(plan_, connections_.size());
  for (std::uint32_t c = 0; c < connections_.size(); ++c) try_send(c, simulation);
}

void ChunkProcess::on_batch(Time /*now*/, std::span<const FlowEvent> flows,
                            std::span<const Event> timers, Simulation& simulation) {
  for (const FlowEvent& event : flows) on_flow(event, simulation);
  for (const Event& event : timers) on_timer(event, simulation);
}

void ChunkProcess::on_timer(const Event& event, Simulation& simulation) {
  if (event.kind == kPrepared) {
    send(event.index - first_tag_, simulation);
  } else {
    end_ = simulation.now();
    on_copied(event.index - first_tag_, simulation);
  }
}

void ChunkProcess::on_flow(const FlowEvent& event, Simulation& simulation) {
  if (event.kind == FlowEventKind::Sent) {
    on_sent(event.tag - first_tag_, simulation);
  } else {
    end_ = simulation.now();
    on_arrived(event.tag - first_tag_, simulation);
  }
}

std::string ChunkProcess::waiting() const {
  for (const Connection& connection : connections_) {
    if (at_end(connection, connection.next)) continue;
    const PlannedEdge& edge = plan_.classes[connection.class_index].edges[connection.edge];
    const char* reason =
        !has_room(connection) ? "room in the receiver's buffer" : "data from an earlier operation";
    return fmt::format("rank {} waits to send to rank {}: {} (loop {}, slice {})",
                       edge.sources.front(), edge.destinations.front(), reason,
                       connection.next.loop, connection.next.slice);
  }
  return "all slices are sent, not all have arrived or been copied";
}

Duration ChunkProcess::busy() const {
  struct Span {
    Time begin = kNever, end = kTimeZero;
  };
  std::vector<Span> spans(
      static_cast<std::size_t>(plan_.outline->classes.front().schedule->ranks()));
  const auto widen = [&](std::int32_t rank, Time begin, Time end) {
    if (begin == kNever) return;
    Span& span = spans[static_cast<std::size_t>(rank)];
    span.begin = std::min(span.begin, begin);
    span.end = std::max(span.end, end);
  };
  for (const Connection& c : connections_) {
    const PlannedEdge& edge = plan_.classes[c.class_index].edges[c.edge];
    for (const std::int32_t rank : edge.sources) widen(rank, c.first_sent, c.last_sent);
    for (const std::int32_t rank : edge.destinations) {
      widen(rank, c.first_arrived, c.last_arrived);
    }
  }
  Duration longest{};
  for (const Span& span : spans) {
    if (span.begin != kNever) longest = std::max(longest, span.end - span.begin);
  }
  return longest;
}

void ChunkProcess::step(const Connection& c, Cursor& at) const {
  ++at.passed;
  if (++at.slice < slices_in(at.loop)) return;
  at.slice = 0;
  if (++at.position < graph(c).of_connection(c.number).size()) return;
  at.position = 0;
  ++at.loop;
}

bool ChunkProcess::data_is_there(const Connection& c) const {
  const std::int64_t wanted = ordinal(c.next);
  const auto& arrived = arrived_[c.class_index];
  for (const std::uint32_t d : graph(c).dependencies(operation(c, c.next))) {
    if (arrived[d] < wanted) return false;
  }
  if (c.next.loop == 0) return true;
  for (const std::uint32_t d : graph(c).loop_dependencies(operation(c, c.next))) {
    if (arrived[d] < wanted - cut_.slices) return false;
  }
  return true;
}

std::int64_t ChunkProcess::payload(const Connection& c, const Cursor& at) const {
  return slice_payload(at.loop, at.slice) * graph(c).blocks(operation(c, at));
}

// Of one block.
std::int64_t ChunkProcess::slice_payload(std::int64_t loop, int slice) const {
  const bool last_loop = loop + 1 == cut_.loops;
  const std::int64_t chunk = last_loop ? cut_.last_chunk : cut_.chunk_payload;
  const std::int64_t full = last_loop ? cut_.last_slice : cut_.slice_payload;
  return std::min(full, chunk - slice * full);
}

// The sender of a ring's connection is done with a loop when it has copied what it received last.
bool ChunkProcess::copies(const Connection& c) const {
  const auto operations = graph(c).of_connection(c.number);
  return copies_at_end_ && !operations.empty() &&
         !graph(c).loop_dependencies(operations.front()).empty();
}

void ChunkProcess::try_copy(std::uint32_t index, Simulation& simulation) {
  Connection& c = connections_[index];
  const auto& arrived = arrived_[c.class_index];
  for (const std::uint32_t last :
       graph(c).loop_dependencies(graph(c).of_connection(c.number).front())) {
    if (arrived[last] < ordinal(c.copied)) return;
  }
  c.busy = true;
  const std::int64_t payload = slice_payload(c.copied.loop, c.copied.slice);
  simulation.timer(cost_.receive_time(payload), Event{kCopied, first_tag_ + index});
}

void ChunkProcess::on_copied(std::uint32_t index, Simulation& simulation) {
  Connection& c = connections_[index];
  c.busy = false;
  --copies_left_;
  if (++c.copied.slice == slices_in(c.copied.loop)) {
    c.copied.slice = 0;
    ++c.copied.loop;
  }
  try_send(index, simulation);
}

void ChunkProcess::try_send(std::uint32_t index, Simulation& simulation) {
  Connection& c = connections_[index];
  if (c.busy) return;
  if (c.copied.loop < c.next.loop && copies(c)) return try_copy(index, simulation);
  if (at_end(c, c.next) || !has_room(c) || !data_is_there(c)) return;
  c.busy = true;
  if (c.first_sent == kNever) c.first_sent = simulation.now();
  if (cost_.slice_overhead() > Duration{}) {
    simulation.timer(cost_.slice_overhead(), Event{kPrepared, first_tag_ + index});
  } else {
    send(index, simulation);
  }
}

void ChunkProcess::send(std::uint32_t index, Simulation& simulation) {
  Connection& c = connections_[index];
  const TransferPath& path = plan_.classes[c.class_index].edges[c.edge].path;
  FlowStart flow;
  flow.tag = first_tag_ + index;
  flow.size = wire_bytes(plan_.protocol, Bytes{payload(c, c.next)});
  flow.links = path.links;
  flow.weights = path.weights;
  flow.stages = path.stages;
  flow.extra_latency = cost_.slice_latency(path.latency, payload(c, c.next));
  flow.notify_sent = true;
  if (observer_ != nullptr) report_start(index, flow.size, simulation.now());
  simulation.start(flow);
}

void ChunkProcess::report_start(std::uint32_t index, Bytes wire, Time now) {
  const Connection& c = connections_[index];
  observer_->slice_starts(now, index,
                          {c.class_index, c.edge, operation(c, c.next), c.next.loop, c.next.slice,
                           payload(c, c.next), wire});
}

void ChunkProcess::on_sent(std::uint32_t index, Simulation& simulation) {
  if (observer_ != nullptr) observer_->slice_sent(simulation.now(), index);
  Connection& c = connections_[index];
  c.last_sent = simulation.now();
  const std::uint32_t op = operation(c, c.next);
  ++sent_[c.class_index][op];
  step(c, c.next);
  c.busy = false;
  for (const std::uint32_t d : graph(c).dependencies(op)) {
    consume(connection_of(c.class_index, d), simulation);
  }
  try_send(index, simulation);
}

void ChunkProcess::on_arrived(std::uint32_t index, Simulation& simulation) {
  if (observer_ != nullptr) observer_->slice_arrived(simulation.now(), index);
  Connection& c = connections_[index];
  c.last_arrived = simulation.now();
  if (c.first_arrived == kNever) c.first_arrived = c.last_arrived;
  const std::uint32_t op = operation(c, c.arriving);
  ++arrived_[c.class_index][op];
  ++delivered_;
  step(c, c.arriving);
  consume(index, simulation);
  for (const std::uint32_t d : graph(c).dependents(op)) {
    try_send(connection_of(c.class_index, d), simulation);
  }
  for (const std::uint32_t d : graph(c).loop_dependents(op)) {
    try_send(connection_of(c.class_index, d), simulation);
  }
}

// Frees the buffer slots of all slices that have arrived and been sent on.
void ChunkProcess::consume(std::uint32_t index, Simulation& simulation) {
  Connection& c = connections_[index];
  if (cut_.window == 0) return;
  const std::int64_t before = c.oldest.passed;
  while (c.oldest.passed < c.arriving.passed && sent_on(c)) step(c, c.oldest);
  if (c.oldest.passed != before) try_send(index, simulation);
}

bool ChunkProcess::sent_on(const Connection& c) const {
  const std::int64_t wanted = ordinal(c.oldest);
  const auto& sent = sent_[c.class_index];
  for (const std::uint32_t d : graph(c).forwards(operation(c, c.oldest))) {
    if (sent[d] < wanted) return false;
  }
  return true;
}

}  // namespace ringspan
