#include "tests/bench/peer_process.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/network/fluid_network.h"

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

// In step s every rank sends a chunk to its peer and waits for that and for the s-th chunk that
// comes in. A rank has one send under way, so its rank is the flow's tag.
class StepProcess final : public PeerProcess {
 public:
  StepProcess(const PeerOptions& options, const PeerFabric& fabric, bool ring)
      : fabric_(fabric),
        ranks_(options.hosts),
        steps_(ring ? 2 * (options.hosts - 1) : options.hosts - 1),
        chunk_(options.size / options.hosts),
        ring_(ring),
        sent_(options.hosts, 0),
        received_(options.hosts, 0) {}

  void on_start(Simulation& simulation) override {
    starter_ = std::make_unique<Starter>(fabric_, simulation);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      send(rank, 0);
    }
    starter_->flush();
  }

  void on_batch(Time, std::span<const FlowEvent> flows, std::span<const Event>,
                Simulation&) override {
    completed_ += static_cast<std::int64_t>(flows.size());
    for (const FlowEvent& event : flows) {
      const std::uint32_t sender = event.tag;
      const std::uint32_t receiver = peer(sender, sent_[sender]);
      ++sent_[sender];
      ++received_[receiver];
      // The rank goes on with the later of its two waits.
      if (received_[sender] >= sent_[sender]) {
        send(sender, sent_[sender]);
      }
      if (received_[receiver] == sent_[receiver] && receiver != sender) {
        send(receiver, sent_[receiver]);
      }
    }
    starter_->flush();
  }

  bool finished() const override {
    return completed_ == std::int64_t{ranks_} * std::int64_t{steps_};
  }

  std::string waiting() const override {
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      if (received_[rank] < steps_) {
        return "rank " + std::to_string(rank) + " waits for its chunk of step " +
               std::to_string(received_[rank]);
      }
    }
    return {};
  }

 private:
  std::uint32_t peer(std::uint32_t rank, std::uint32_t step) const {
    const std::uint32_t to = rank + (ring_ ? 1 : step + 1);
    return to >= ranks_ ? to - ranks_ : to;
  }
  void send(std::uint32_t rank, std::uint32_t step) {
    if (step < steps_) {
      starter_->add(rank, rank, peer(rank, step), chunk_);
    }
  }

  const PeerFabric& fabric_;
  std::uint32_t ranks_;
  std::uint32_t steps_;
  std::int64_t chunk_;
  bool ring_;
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> received_;
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

PeerResult run_peer_case(const PeerOptions& options, const PeerFabric& fabric) {
  // SimGrid spends a path's latency before the transfer shares links.
  FluidNetwork network(fabric.links(), {LatencyOrder::BeforeTransmission, false});
  const std::unique_ptr<PeerProcess> process = make_peer_process(options, fabric);
  const SimulationEnd end = run(network, *process);
  if (end.reason != EndReason::Finished) {
    throw std::runtime_error("the run stalled: " + end.waiting);
  }
  return {to_microseconds(end.end - kTimeZero), process->completed(),
          static_cast<std::uint64_t>(network.events_processed())};
}

}  // namespace ringspan::bench
