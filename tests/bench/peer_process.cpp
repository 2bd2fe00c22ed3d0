#include "tests/bench/peer_process.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/network/fluid_network.h"
#include "sim/network/queueing_network.h"

namespace ringspan::bench {
namespace {

// Hands flows to the simulation in blocks.
class Starter {
 public:
  Starter(const PeerFabric& fabric, Simulation& simulation)
      : fabric_(fabric), simulation_(simulation) {
    flows_.reserve(kBlock);
    paths_.resize(kBlock);
  }

  void add(FlowTag tag, std::uint32_t source, std::uint32_t destination, std::int64_t size) {
    PeerFabric::Path& path = paths_[flows_.size()];
    FlowStart& flow = flows_.emplace_back();
    flow.tag = tag;
    flow.size = Bytes{size};
    flow.links = {path.data(), fabric_.route(source, destination, path)};
    if (flows_.size() == kBlock) {
      flush();
    }
  }

  void flush() {
    simulation_.start(flows_);
    flows_.clear();
  }

 private:
  static constexpr std::size_t kBlock = 256;
  const PeerFabric& fabric_;
  Simulation& simulation_;
  std::vector<FlowStart> flows_;
  std::vector<PeerFabric::Path> paths_;
};

// In step s every rank sends a chunk to its peer, receives one, and goes on when both are complete.
// As with SimGrid's mailboxes, a transfer starts when both ends are ready, and a receiver takes the
// senders in the order in which they became ready. A rank has one send under way, so its rank is
// the flow's tag.
class StepProcess final : public PeerProcess {
 public:
  StepProcess(const PeerOptions& options, const PeerFabric& fabric, bool ring)
      : fabric_(fabric),
        steps_(ring ? 2 * (options.hosts - 1) : options.hosts - 1),
        chunk_(options.size / options.hosts),
        ring_(ring),
        ranks_(options.hosts) {}

  void on_start(Simulation& simulation) override {
    starter_ = std::make_unique<Starter>(fabric_, simulation);
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      begin_step(rank);
    }
    starter_->flush();
  }

  void on_batch(Time, std::span<const FlowEvent> flows, std::span<const Event>,
                Simulation&) override {
    completed_ += static_cast<std::int64_t>(flows.size());
    for (const FlowEvent& event : flows) {
      const std::uint32_t receiver = peer(event.tag);
      half_done(event.tag);
      half_done(receiver);
    }
    starter_->flush();
  }

  bool finished() const override {
    return completed_ == static_cast<std::int64_t>(ranks_.size()) * std::int64_t{steps_};
  }

  std::string waiting() const override {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      if (ranks_[rank].step < steps_) {
        return "rank " + std::to_string(rank) + " waits in step " +
               std::to_string(ranks_[rank].step);
      }
    }
    return {};
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffffU;
  struct Rank {
    std::uint32_t step = 0;
    std::uint32_t open = 0;  // of this step's send and receive
    bool ready_to_receive = false;
    // Senders that wait for this rank, chained through `next_sender`.
    std::uint32_t first_sender = kNobody;
    std::uint32_t last_sender = kNobody;
    std::uint32_t next_sender = kNobody;
  };

  std::uint32_t peer(std::uint32_t rank) const {
    const auto count = static_cast<std::uint32_t>(ranks_.size());
    const std::uint32_t to = rank + (ring_ ? 1 : ranks_[rank].step + 1);
    return to >= count ? to - count : to;
  }

  void begin_step(std::uint32_t rank) {
    ranks_[rank].open = 2;
    offer(rank);
    Rank& self = ranks_[rank];
    if (self.first_sender == kNobody) {
      self.ready_to_receive = true;
      return;
    }
    const std::uint32_t sender = self.first_sender;
    self.first_sender = ranks_[sender].next_sender;
    starter_->add(sender, sender, rank, chunk_);
  }

  void offer(std::uint32_t sender) {
    const std::uint32_t receiver = peer(sender);
    Rank& box = ranks_[receiver];
    if (box.ready_to_receive) {
      box.ready_to_receive = false;
      starter_->add(sender, sender, receiver, chunk_);
      return;
    }
    (box.first_sender == kNobody ? box.first_sender : ranks_[box.last_sender].next_sender) = sender;
    box.last_sender = sender;
    ranks_[sender].next_sender = kNobody;
  }

  void half_done(std::uint32_t rank) {
    Rank& self = ranks_[rank];
    if (--self.open == 0 && ++self.step < steps_) {
      begin_step(rank);
    }
  }

  const PeerFabric& fabric_;
  std::uint32_t steps_;
  std::int64_t chunk_;
  bool ring_;
  std::vector<Rank> ranks_;
  std::unique_ptr<Starter> starter_;
};

// All flows at once. Equal sizes, or K sizes per rank drawn from 1 byte to twice the chunk: the
// flow to the rank at distance d has size number d mod K.
class BurstProcess final : public PeerProcess {
 public:
  BurstProcess(const PeerOptions& options, const PeerFabric& fabric)
      : fabric_(fabric),
        ranks_(options.hosts),
        chunk_(options.size / options.hosts),
        sizes_(options.coll == "alltoallv-burst" ? options.sizes : 0),
        seed_(options.seed) {}

  void on_start(Simulation& simulation) override {
    Starter starter(fabric_, simulation);
    FlowTag tag = 0;
    for (std::uint32_t distance = 1; distance < ranks_; ++distance) {
      for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
        starter.add(tag++, rank, (rank + distance) % ranks_, size(rank, distance));
      }
    }
    starter.flush();
  }

  void on_batch(Time, std::span<const FlowEvent> flows, std::span<const Event>,
                Simulation&) override {
    completed_ += static_cast<std::int64_t>(flows.size());
  }

  bool finished() const override {
    return completed_ == std::int64_t{ranks_} * (std::int64_t{ranks_} - 1);
  }
  std::string waiting() const override {
    return std::to_string(completed_) + " transfers done, the others wait for a share";
  }

 private:
  std::int64_t size(std::uint32_t rank, std::uint32_t distance) const {
    if (sizes_ == 0) {
      return chunk_;
    }
    const std::uint64_t draw =
        mixed(mixed(seed_ ^ (std::uint64_t{rank} << 32)) + distance % sizes_);
    return 1 + static_cast<std::int64_t>(draw % static_cast<std::uint64_t>(2 * chunk_));
  }

  const PeerFabric& fabric_;
  std::uint32_t ranks_;
  std::int64_t chunk_;
  std::uint32_t sizes_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<PeerProcess> make_peer_process(const PeerOptions& options,
                                               const PeerFabric& fabric) {
  if (options.coll == "ring-allreduce" || options.coll == "alltoall-pairwise") {
    return std::make_unique<StepProcess>(options, fabric, options.coll == "ring-allreduce");
  }
  return std::make_unique<BurstProcess>(options, fabric);
}

std::unique_ptr<NetworkModel> make_peer_network(const PeerOptions& options,
                                                const PeerFabric& fabric) {
  if (options.network == "queueing") {
    QueueingOptions queueing;
    queueing.segment = Bytes{options.segment.value_or(queueing.segment.count)};
    queueing.credits = options.credits.value_or(queueing.credits);
    return std::make_unique<QueueingNetwork>(fabric.links(), queueing);
  }
  // SimGrid spends a path's latency before the transfer shares links.
  return std::make_unique<FluidNetwork>(fabric.links(),
                                        FluidOptions{LatencyOrder::BeforeTransmission, false});
}

PeerResult run_peer_case(const PeerOptions& options, const PeerFabric& fabric,
                         NetworkModel& network) {
  const std::unique_ptr<PeerProcess> process = make_peer_process(options, fabric);
  const SimulationEnd end = run(network, *process);
  if (end.reason != EndReason::Finished) {
    throw std::runtime_error("the run stalled: " + end.waiting);
  }
  return {to_microseconds(end.end - kTimeZero), process->completed()};
}

}  // namespace ringspan::bench
