#pragma once

// `--trace`: a run as Chrome's trace events, which Perfetto (ui.perfetto.dev) and chrome://tracing
// open. Processes are servers, threads are connections of a rank; a slice is a bar from its first
// byte sent to its last, and counters show how busy the busiest links are. At `stream` there is one
// process and a thread per class of channels, whose bars are phases. Format: "Trace Event Format",
// Google, 2016: JSON object, times in microseconds.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/report/link_history.h"
#include "models/workloads/plan_outline.h"
#include "models/workloads/run_observer.h"
#include "models/workloads/shared_loads.h"
#include "models/workloads/shared_plans.h"

namespace ringspan {

class RunTrace final : public RunObserver {
 public:
  static constexpr std::int64_t kMostEvents = 2'000'000;
  static constexpr std::size_t kMostLinks = 16;

  // Bars beyond `most_events` are left out; the counters have them all the same.
  explicit RunTrace(std::int64_t most_events = kMostEvents) : most_events_(most_events) {}

  void run_begins(const PlanInput& input, const PlanOutline& outline) override;
  void run_ends() override;
  void slices_begin(const CollectivePlan& plan, std::size_t connections) override;
  void slice_starts(Time now, std::uint32_t connection, const Slice& slice) override;
  void slice_sent(Time now, std::uint32_t connection) override;
  void slice_arrived(Time now, std::uint32_t connection) override;
  void phases_begin(const StreamLoads& loads) override;
  void phase_done(const Phase& phase) override;

  std::int64_t events_left_out() const { return left_out_; }

  // One job of several (jobs_trace.h): its links are those of all. Before run_begins().
  void share(const SharedPlans& plans);
  void share(const SharedLoads& loads);

  // What was asked, for the file's metadata: key and value.
  using Facts = std::vector<std::pair<std::string, std::string>>;
  using Sink = std::function<void(std::string_view)>;
  // JSON in pieces. Requires run_ends().
  void write(const Facts& facts, const Sink& sink) const;
  // Several in one file, with their names in front of what theirs is called.
  using Named = std::pair<std::string, const RunTrace*>;
  static void write_all(const Facts& facts, std::span<const Named> traces, const Sink& sink);

 private:
  struct Bar {
    std::uint32_t connection = 0;
    bool reduces = false;
    std::int32_t slice = 0;
    std::int64_t loop = 0;
    std::int64_t payload = 0;  // on one channel
    Time begin = kTimeZero, end = kTimeZero, arrival = kTimeZero;
  };
  struct Connection {
    std::string from, to;  // "server0.gpu1"; of several ranks the first one, "and 7 others"
    std::string channels;  // "channel 0", "channels 0, 2, 4"
    std::int32_t server = 0;
    std::int32_t rank = 0;
    int count = 1;  // channels that do the same
    std::uint32_t class_index = 0, edge = 0;
    // Sent or being sent, not arrived, in order, with their bytes on the wire.
    std::vector<std::pair<Bar, Bytes>> under_way;
    std::size_t sent = 0;  // how many of them are out
  };
  struct PhaseBar {
    Phase phase;
    std::string channels;
  };
  struct Counter {
    std::string link;
    std::vector<std::pair<Time, double>> busy;  // from this instant on
  };

  Connection& connection(std::uint32_t number, const Slice& slice);
  std::string ranks_text(const std::vector<std::int32_t>& ranks) const;
  void count_links(const Connection& connection, const Bar& bar, Bytes wire);
  void close_history();
  void close_phases();
  Counter phase_counter(std::uint32_t link, double rate) const;
  const std::vector<NetworkLink>& plan_links() const;
  const std::vector<FabricResource>& plan_infos() const;
  const std::vector<StreamLoads::Links>& loaded_links() const;
  const ClusterPaths& paths() const;

  // run_trace_json.cpp
  class Writer;

  std::int64_t most_events_;
  std::int64_t left_out_ = 0;
  std::string category_;      // the collective
  std::int32_t servers_ = 0;  // of the cluster
  // Of all jobs; nullptr: the run's own.
  const SharedPlans* shared_plans_ = nullptr;
  const SharedLoads* shared_loads_ = nullptr;
  // Set between run_begins() and run_ends().
  const PlanInput* input_ = nullptr;
  const PlanOutline* outline_ = nullptr;
  const CollectivePlan* plan_ = nullptr;
  const StreamLoads* loads_ = nullptr;
  std::map<std::uint32_t, Connection> connections_;
  std::optional<LinkHistory> history_;
  std::vector<Bar> bars_;  // in the order of arrivals
  std::vector<PhaseBar> phases_;
  std::vector<Counter> counters_;
  Transfer transfer_;  // scratch
};

}  // namespace ringspan
