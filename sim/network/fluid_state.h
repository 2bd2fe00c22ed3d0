#pragma once

// The inside of a FluidNetwork. fluid_network.cpp: how flows come and go; fluid_solve.cpp: what a
// change of flows means for the shares.

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
        groups_(flows_, links_),
        filling_(flows_, links_, groups_) {}

  void start(std::int64_t now, const FlowStart& start);
  Time next_event();
  void advance(std::int64_t now, std::vector<FlowEvent>& events);
  std::vector<FluidFlowState> transmitting();

  std::int64_t under_way() const { return under_way_; }
  std::int64_t processed() const { return processed_; }

 private:
  static Time instant(std::int64_t count) { return kTimeZero + picoseconds(count); }
  enum EventKind : std::uint32_t {
    kShare,     // index = slot: the latency is over, the flow goes on its links
    kAloneEnd,  // index = slot: void unless the flow is still alone and ends now
    kGroupEnd,  // index = link: void unless its group ends now
    kArrive,    // index = slot: the last byte is there
  };
  struct Outcome {
    std::uint32_t slot;
    FlowEventKind kind;
  };

  std::int64_t path_latency(const FlowStart& start) const;
  void handle(const Event& event);
  void put_on_links(std::uint32_t slot);
  void take_off_links(std::uint32_t slot, double freed);
  void end_group(std::uint32_t link);
  void transmitted(std::uint32_t slot, double freed);
  void delivered(std::uint32_t slot);
  void order_outcomes();
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
  fluid::Groups groups_;
  fluid::Filling filling_;
  EventQueue queue_;
  std::vector<Event> due_;
  std::vector<Outcome> outcomes_;
  std::vector<Outcome> places_;
  std::vector<std::uint32_t> ending_;  // slots
  // Changes since the last solve.
  std::vector<std::uint32_t> arrived_;        // slots
  std::vector<std::uint32_t> departed_from_;  // links that still carry flows
  double departed_rate_ = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> seeds_;
  std::vector<std::uint32_t> joining_;  // arrived slots that share a link
  std::uint32_t round_ = 0;             // of collecting seeds
  std::int64_t now_ = 0;
  std::uint64_t started_ = 0;
  std::int64_t under_way_ = 0;
  std::int64_t processed_ = 0;
};

}  // namespace ringspan
