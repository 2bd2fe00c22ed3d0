#pragma once

// The inside of a FluidNetwork. fluid_network.cpp: how flows come; fluid_ends.cpp: how they end;
// fluid_solve.cpp: what a change of flows means for the shares.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/engine/event_queue.h"
#include "sim/network/fluid_filling.h"
#include "sim/network/fluid_flows.h"
#include "sim/network/fluid_groups.h"
#include "sim/network/fluid_links.h"
#include "sim/network/fluid_network.h"

namespace ringspan {

class FluidNetwork::State {
 public:
  State(std::span<const NetworkLink> links, FluidOptions options)
      : options_(options),
        links_(fluid::make_links(links)),
        lone_(links.size()),
        shares_(links.size()),
        groups_(flows_, links_, shares_),
        filling_(flows_, links_, shares_, groups_) {}

  void start(std::int64_t now, const FlowStart& start);
  Time next_event();
  void advance(std::int64_t now, std::vector<FlowEvent>& events);
  std::vector<FluidFlowState> transmitting();

  std::int64_t under_way() const { return under_way_; }
  std::int64_t processed() const { return processed_; }

 private:
  static Time instant(std::int64_t count) { return kTimeZero + picoseconds(count); }
  enum EventKind : std::uint32_t {
    kShare,     // index = first slot of a run: its latency is over, the flows go on their links
    kAloneEnd,  // index = slot: void unless the flow is still alone and ends now
    kGroupEnd,  // index = link: void unless its group ends now
    kArrive,    // index = slot: the last byte is there
  };
  // `order` is twice the flow's number, plus one if the flow is delivered.
  struct Outcome {
    std::uint64_t order;
    FlowTag tag;
  };
  // The flows that began to wait last: successive slots and one event. A burst is a few such runs.
  struct WaitingRun {
    std::int64_t until = fluid::kNoTime;
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::int64_t pushed = 0;  // events, when it was queued
  };
  struct PresentOrders {
    std::uint64_t bits = 0;  // of 64 successive orders
    std::size_t first_place = 0;
  };
  struct EndingGroup {
    std::uint32_t link;  // that holds the group
    bool whole;          // all of its flows end
    bool clear;          // and the links they cross are empty afterwards
  };

  // Instead of a link's count of leaving flows: it will be empty.
  static constexpr std::uint32_t kEveryone = 0xffffffffU;

  std::int64_t path_latency(const FlowStart& start) const;
  void wait(std::uint32_t slot, std::int64_t until);
  void end_wait(std::uint32_t first);
  void handle(const Event& event);
  void put_on_links(std::uint32_t slot);
  void take_off_links(std::uint32_t slot, double freed);
  void end_groups(std::span<const Event> events);
  bool ends_now(std::uint32_t link);
  void find_clear_groups();
  void end_flows(const EndingGroup& ending);
  void transmitted(std::uint32_t slot);
  void delivered(std::uint32_t slot);
  void report_outcomes(std::vector<FlowEvent>& events);
  void report_dense(std::uint64_t lowest, std::uint64_t highest, std::vector<FlowEvent>& events);
  static FlowEvent event_of(const Outcome& outcome);
  fluid::Lone& lone_of(const fluid::Flow& flow) { return lone_[flows_.hops(flow)->link]; }
  void solve();
  double collect_seeds();
  bool alone(const fluid::Flow& flow);
  void run_alone(std::uint32_t slot);
  void end_alone(std::uint32_t slot);
  bool add_seed(std::uint32_t link);
  double highest_untouched_level(const fluid::Link& link);
  void queue_group_events();
  void drop_void_events();

  FluidOptions options_;
  fluid::FlowTable flows_;
  std::vector<fluid::Link> links_;
  std::vector<fluid::Lone> lone_;  // by the first link of the flow that runs alone
  std::vector<fluid::LinkShare> shares_;
  fluid::Groups groups_;
  fluid::Filling filling_;
  EventQueue queue_;
  std::vector<Event> due_;
  std::vector<Outcome> outcomes_;
  std::vector<PresentOrders> present_;
  std::vector<EndingGroup> ending_groups_;
  std::vector<std::uint32_t> ending_;         // slots
  std::vector<std::uint32_t> leaving_links_;  // links that flows of whole groups leave
  WaitingRun run_;
  // Changes since the last solve.
  std::vector<std::uint32_t> arrived_;        // slots
  std::vector<std::uint32_t> departed_from_;  // links that still carry flows
  double departed_rate_ = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> seeds_;
  std::uint32_t round_ = 0;  // of collecting seeds
  std::int64_t now_ = 0;
  std::uint64_t started_ = 0;
  std::int64_t under_way_ = 0;
  std::int64_t processed_ = 0;
};

}  // namespace ringspan
