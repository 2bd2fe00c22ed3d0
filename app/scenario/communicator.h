#pragma once

// The assembled question: the GPUs, the channels NCCL opens on them, the profile, and the ways
// (algorithm x protocol) that are open. All checks of a RunScenario happen here.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/scenario/rank_places.h"
#include "app/scenario/scenario.h"
#include "models/nccl/channel_search.h"
#include "models/nccl/kernel_shape.h"
#include "models/nccl/transport.h"
#include "models/nccl/tuner.h"
#include "models/workloads/collective_plan.h"
#include "models/workloads/stream_loads.h"

namespace ringspan {

// One way to do the collective.
struct Way {
  std::string algorithm;
  Protocol protocol = Protocol::Simple;
  int channels = 1;
  std::int64_t per_channel = 0;  // of the size, while not all channels are used (KernelShape)
};

class Communicator {
 public:
  // Throws InputError for everything that is wrong with the scenario on this system. The first
  // three must outlive this. `transport`: make_transport() of the system. `stop`: asked by
  // loads() and plan(), which then throw Stopped.
  Communicator(const RunScenario& scenario, const System& system, const Catalog& catalog,
               RankPlaces places, std::shared_ptr<const Transport> transport, StopCheck stop = {});

  int ranks() const { return static_cast<int>(places_.ranks.size()); }
  // Where each rank sits.
  std::span<const GpuPlace> places() const { return places_.ranks; }
  int servers() const { return places_.servers; }
  // The poorest: NCCL takes the least compute capability of a communicator.
  const GpuModel& gpu_model() const { return *gpu_model_; }
  // nullptr: one domain.
  const Transport* transport() const { return transport_.get(); }
  const Profile& profile() const { return *profile_; }
  const CollectiveSpec& spec() const { return spec_; }
  // In order of preference for ties; at least one.
  const std::vector<Way>& ways() const { return ways_; }
  // What NCCL makes of one of ways() for so many bytes: fewer channels for small ones,
  // but where the user said how many. The reference stays valid, and is the same for the same
  // shape.
  const Way& shaped(const Way& way, Bytes size);
  // Grouped send/receive with the protocol that NCCL gives to messages of this size; nullptr: the
  // collective is none, or the user said which protocol.
  const Way* message_way(Bytes size) const;
  // What NCCL's tuner says of the communicator; nullptr: one rank, or the collective is grouped
  // send/receive.
  const TunerTable* tuner() const { return tuner_.get(); }
  // The one of ways() that NCCL's tuner picks; nullptr: none of them is NCCL's, or all are barred.
  const Way* tuned_way(Bytes size) const;
  // Why algorithms that would have been weighed are not: their plans do not fit in memory.
  const std::vector<std::string>& left_out() const { return left_out_; }
  // What an algorithm does, and what it puts on the links, for any protocol and size: all that a
  // run at `stream` needs. Made when first asked for; loads() throws InputError when it would not
  // fit in memory.
  const PlanOutline& outline(const Way& way);
  const StreamLoads& loads(const Way& way);
  // Every edge, for a run at `chunk`. Made when first asked for. Throws InputError when it would
  // not fit in memory.
  const CollectivePlan& plan(const Way& way);
  PlanInput plan_input(const Way& way) const;
  // Bytes that loads() and plan() need, estimated without making them.
  std::int64_t loads_bytes(const Way& way);
  std::int64_t plan_bytes(const Way& way) const;

 private:
  void choose_root();
  void choose_gpu_model();
  void choose_profile();
  bool has_nvlink() const;
  ChannelSet find_channels() const;
  void open_ways();
  void make_tuner();
  NcclVersion version() const;
  void open_default_algorithms(std::string& why_not);
  void keep_allowed(const NcclEnvironment& settings);
  void open_algorithm(const std::string& name, std::string& why_not);
  void leave_out_what_does_not_fit();
  int channels_for(const std::string& algorithm) const;
  bool spans_nodes() const;
  P2pMessages messages_of(const Way& way, Bytes size) const;
  bool one_rank_per_node() const;

  const RunScenario& scenario_;
  const System& system_;
  const Catalog& catalog_;
  RankPlaces places_;
  const GpuModel* gpu_model_ = nullptr;
  std::shared_ptr<const Transport> transport_;
  StopCheck stop_;
  CollectiveSpec spec_;
  const Profile* profile_ = nullptr;
  ChannelSet channels_;
  int channels_per_peer_ = 1;  // of p2p
  bool over_nvlink_ = false;   // all ranks of one node reach one another over NVLink
  std::string ll128_bar_;      // why LL128 may not be used; empty: it may
  std::unique_ptr<const TunerTable> tuner_;
  std::vector<Way> ways_;
  std::vector<std::string> left_out_;
  std::map<std::string, std::unique_ptr<Algorithm>> algorithms_;
  using OnChannels = std::pair<std::string, int>;  // algorithm, channels
  std::map<std::tuple<std::string, Protocol, int, std::int64_t>, Way>
      shaped_;  // by all that a Way has
  std::map<OnChannels, std::unique_ptr<PlanOutline>> outlines_;
  std::map<OnChannels, std::int64_t> loads_bytes_;
  std::map<OnChannels, std::unique_ptr<StreamLoads>> loads_;
  std::map<std::pair<OnChannels, Protocol>, std::unique_ptr<CollectivePlan>> plans_;
};

// How a system's GPUs reach one another between domains; nullptr for one domain.
std::shared_ptr<const Transport> make_transport(const System& system);

// Throws InputError (exit 2) when `bytes` are not available, naming both figures and what to do.
void require_memory(std::int64_t bytes, std::string_view what, std::string_view instead);

}  // namespace ringspan
