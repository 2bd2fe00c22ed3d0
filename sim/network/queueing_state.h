#pragma once

// The state behind QueueingNetwork. Times are int64 picoseconds here.
// Code flow: start() joins a flow to the sources of its first link and posts kInject; inject()
// takes the next source's segment; cross() starts it on the links of a stage; complete() posts its
// arrival at the next stage, or the report. With limited buffers cross_with_credits() may leave
// the segment waiting, and give_credit() starts it later.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/calendar_queue.h"
#include "sim/network/credit_buffer.h"
#include "sim/network/queueing_network.h"
#include "sim/network/segment_paths.h"

namespace ringspan {

class QueueingNetwork::State {
 public:
  State(std::span<const NetworkLink> links, const QueueingOptions& options);

  void start(std::int64_t now, const FlowStart& flow);
  void move_to(std::int64_t now);  // all that lies before `now` has happened
  void run_until(std::int64_t last);
  Time next_event();
  void report(std::int64_t now, std::vector<FlowEvent>& events);
  std::vector<WaitingSegment> waiting() const;

  std::int64_t under_way = 0;
  std::int64_t events = 0;

 private:
  static constexpr std::uint32_t kNoIndex = 0xffffffffU;

  // The two low bits of an event's kind; the bits above are the first hop of the stage.
  enum Kind : std::uint32_t {
    kSegment = 0,      // a segment has arrived at a stage; index: flow
    kLastSegment = 1,  // the same, of the flow's last one
    kInject = 2,       // a link may take the next segment from its sources; index: link
    kRejoin = 3,       // a flow from several sources may send again; index: flow
  };

  struct Link {
    double picoseconds_per_byte = 0;
    std::int64_t latency = 0;
    std::int64_t free = 0;
    std::uint32_t buffer = kNoIndex;  // index, where places are limited
    // As the first link of flows: those with segments to send, in turn.
    std::uint32_t first_source = kNoIndex;
    std::uint32_t last_source = kNoIndex;
    bool injecting = false;  // its own segment has no start yet
    bool inject_posted = false;
    std::int64_t source_free = 0;  // end of the last segment of its own
  };

  struct Flow {
    std::int64_t unsent = 0;  // bytes not yet injected
    std::int64_t extra = 0;
    std::uint64_t order = 0;  // of start
    double last_bytes = 0;    // size of the last segment
    PathStrip path;
    FlowTag tag = 0;
    std::uint32_t next_source = kNoIndex;  // in the turn of its first link
    bool notify_sent = false;
    bool several_sources = false;
  };

  // One segment crossing one stage.
  struct Passage {
    std::uint32_t flow = 0;
    std::uint32_t first = 0;   // hop, counted within the path
    std::uint32_t beyond = 0;  // the next stage's first hop, or the path's end
    std::uint32_t open = 0;    // links not started yet
    double bytes = 0;
    bool last = false;
    std::int64_t next_service = 0;  // shortest on the next stage
    std::int64_t first_end = 0;     // on the first link
    std::int64_t latest_end = 0;    // on all
    std::int64_t ready = 0;         // arrival at the next stage, or of the tail at the end
  };

  struct Report {
    std::int64_t time;
    std::uint64_t order;
    FlowEvent event;
  };

  const SegmentHop& hop(const Flow& flow, std::uint32_t index) const {
    return paths_[flow.path.first + index];
  }
  void post(std::int64_t at, Kind kind, std::uint32_t index, std::uint32_t first_hop = 0) {
    calendar_.push(Time{Duration{at}}, {first_hop << 2U | kind, index});
  }
  void join_sources(std::uint32_t flow, std::int64_t now);
  void post_inject(std::uint32_t link, std::int64_t now);
  void inject(std::uint32_t link, std::int64_t now);
  void cross(std::uint32_t flow, std::uint32_t first_hop, bool last, std::int64_t now);
  void cross_with_credits(Passage& passage, std::int64_t now);
  void keep_and_cross(const Passage& begun, std::int64_t now);
  void start_on(Passage& passage, std::uint32_t hop_index, std::int64_t at);
  void complete(const Passage& passage);
  void leave_source(const Passage& passage);
  void give_credits(const Passage& passage);
  void give_credit(std::uint32_t link, std::int64_t at);
  static bool later(const Report& a, const Report& b);
  void report_at(std::int64_t time, const Flow& flow, FlowEventKind kind);

  double segment_;
  std::int64_t segment_bytes_;
  std::int64_t shortest_latency_ = 0;
  std::int64_t now_ = 0;
  std::uint64_t started_ = 0;
  std::int64_t sent_to_come_ = 0;  // flows under way that want Sent and have not got it

  CalendarQueue calendar_;
  std::vector<Link> links_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> free_flows_;
  SegmentPaths paths_;
  std::vector<Report> reports_;  // heap

  // With limited buffers only.
  std::vector<CreditBuffer> buffers_;
  std::vector<Passage> passages_;
  std::vector<std::uint32_t> free_passages_;
  std::vector<std::uint32_t> completed_;  // passages to complete, a work list
};

}  // namespace ringspan
