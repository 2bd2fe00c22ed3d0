#pragma once

// One collective on its communicator: which way it takes, how it is cut, and what a size takes by
// itself. run_scenario() asks it size by size; run_concurrent() asks one for every job.

#include <cstdint>
#include <span>
#include <vector>

#include "app/scenario/communicator.h"
#include "app/scenario/run_report.h"
#include "app/scenario/scenario.h"
#include "models/collectives/rounded_size.h"
#include "models/cost/lower_bound.h"
#include "models/workloads/run_result.h"
#include "models/workloads/size_cut.h"

namespace ringspan {

// `auto` runs at chunk up to this many slices (about a second) and bytes; above, at stream. Between
// servers paths are several times as long and more links are shared.
struct ChunkBudget {
  std::int64_t slices = 0;
  std::int64_t bytes = 0;
};
ChunkBudget chunk_budget(const Cluster& cluster);

class CollectiveRun {
 public:
  // The arguments must outlive this. Throws InputError as Communicator does; what
  // builds loads and plans throws Stopped when `stop` says so.
  CollectiveRun(const RunScenario& scenario, const System& system, const Catalog& catalog,
                StopCheck stop = {});
  // On these GPUs, whatever the scenario says of nodes and GPUs.
  CollectiveRun(const RunScenario& scenario, const System& system, const Catalog& catalog,
                RankPlaces places, std::shared_ptr<const Transport> transport, StopCheck stop = {});

  Communicator& communicator() { return communicator_; }
  const Communicator& communicator() const { return communicator_; }

  RoundedSize rounded(Bytes asked) const;
  // Nothing crosses the fabric: no bytes, or one rank.
  bool is_idle(std::int64_t bytes) const { return bytes == 0 || communicator_.ranks() == 1; }
  // The way whose launch is the whole call where nothing crosses the fabric.
  const Way& idle_way() const;
  // The way with the least time, the earlier one on ties; fills row.candidates. Throws Stopped when
  // `go_on` says so.
  const Way& choose(Bytes size, RunRow& row, const KeepGoing& go_on);
  SizeCut cut(const Way& way, Bytes size) {
    return cut_size(communicator_.outline(way), way.protocol, size, way.per_channel);
  }
  // What a call takes after its launch where scenario.iterations of them follow one another.
  // A root's next call begins when the root is done with the last one, not when all ranks are.
  Duration in_a_row(const RunResult& result) const;
  // From the call until the first byte goes.
  Duration launch(const Way& way, const SizeCut& cut) const;
  // A call takes no less, whatever the collective: one thread may have to launch on many GPUs.
  Duration launch_floor(const Way& way) const;

  std::int64_t slices(const Way& way, const SizeCut& cut);
  std::int64_t chunk_bytes(const Way& way);  // of memory, for running at `chunk`
  Granularity granularity(const Way& way, const SizeCut& cut);
  RunResult simulate(const Way& way, const SizeCut& cut, Granularity granularity,
                     const KeepGoing& go_on, RunObserver* observer = nullptr);

  // What an out-of-place call takes for its copies inside the GPUs; zero: none.
  Duration local_copy(std::int64_t bytes) const;
  // The same, launch included.
  Duration copy_alone(const Way& way, const SizeCut& cut, std::int64_t bytes) const;
  // Bounds and bandwidths of a row whose bytes and times are known.
  void fill_rates(RunRow& row) const;

 private:
  int peers() const;  // that a rank exchanges messages with
  int further_peers(int gpus) const;
  const Way& take(const Way& picked, Bytes size, RunRow& row, const KeepGoing& go_on);
  void explain_choice(const Way& way, Bytes size, Candidate& candidate) const;
  bool affordable(const Way& way, const SizeCut& cut);
  Duration predict(const Way& way, Bytes size, const KeepGoing& go_on);
  Duration as_run(const Way& way, Bytes size, Duration at_stream, const KeepGoing& go_on);
  const RunResult& weigh(const Way& way, const SizeCut& cut, Granularity granularity,
                         const KeepGoing& go_on);
  RunResult run_at_stream(const Way& way, const SizeCut& cut, const KeepGoing& go_on,
                          RunObserver* observer);

  const RunScenario& scenario_;
  const System& system_;
  Communicator communicator_;
  LowerBounds bounds_;
  // What the last choose() ran: the way that it picked need not be run once more.
  struct Weighed {
    const Way* way = nullptr;
    SizeCut cut;
    Granularity granularity = Granularity::Stream;
    RunResult result;
  };
  std::vector<Weighed> weighed_;
};

}  // namespace ringspan
