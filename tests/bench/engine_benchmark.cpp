// Speed of the parts: events, flows and slices per second, bytes per GPU. Reported, not a gate.
//   build/release/tests/bench/ringspan_engine_benchmark

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "models/collectives/schedule_checker.h"
#include "sim/engine/event_queue.h"
#include "sim/network/coupled_network.h"
#include "tests/bench/peer_process.h"
#include "tests/support/clusters.h"
#include "tests/support/plain_fabrics.h"
#include "tests/support/plans.h"

namespace ringspan {
namespace {

// Events of 1,000 instants, pushed in order: the run that a step of a collective makes.
void event_queue_in_lockstep(benchmark::State& state) {
  constexpr std::uint32_t kPerInstant = 1000;
  std::vector<Event> events;
  for (auto _ : state) {
    EventQueue queue;
    for (int instant = 0; instant < 1000; ++instant) {
      for (std::uint32_t i = 0; i < kPerInstant; ++i) {
        queue.push(kTimeZero + picoseconds(instant), {0, i});
      }
    }
    while (!queue.empty()) {
      events.clear();
      queue.pop_all(events);
    }
    benchmark::DoNotOptimize(events.data());
  }
  state.SetItemsProcessed(state.iterations() * 1000 * kPerInstant);
}
BENCHMARK(event_queue_in_lockstep);

// One collective of the peer bench on a crossbar; items are transfers.
void peer_case(benchmark::State& state, const char* collective, const char* network) {
  bench::PeerOptions options;
  options.coll = collective;
  options.network = network;
  options.hosts = static_cast<std::uint32_t>(state.range(0));
  const bench::PeerFabric fabric(options);
  std::int64_t flows = 0;
  for (auto _ : state) {
    const auto model = bench::make_peer_network(options, fabric);
    flows += bench::run_peer_case(options, fabric, *model).flows;
  }
  state.SetItemsProcessed(flows);
}
BENCHMARK_CAPTURE(peer_case, ring_fluid, "ring-allreduce", "fluid")->Arg(256);
BENCHMARK_CAPTURE(peer_case, burst_fluid, "alltoall-burst", "fluid")->Arg(256);
BENCHMARK_CAPTURE(peer_case, ring_queueing, "ring-allreduce", "queueing")->Arg(64);

// A ring over N ranks as one coupled flow: rows, one solve, one end. Items are ranks.
void coupled_ring(benchmark::State& state) {
  const auto ranks = static_cast<std::uint32_t>(state.range(0));
  const std::vector<NetworkLink> links(ranks, {bandwidth_from_gbytes_per_second(50), {}});
  for (auto _ : state) {
    CoupledNetwork network(links);
    CoupledFlow flow;
    for (std::uint32_t r = 0; r < ranks; ++r) flow.rows.push_back({r, 1, 1e6});
    flow.steps = 2.0 * (ranks - 1);
    flow.slice_bytes = 1e6;
    network.start(kTimeZero, flow);
    benchmark::DoNotOptimize(network.next_event());
  }
  state.SetItemsProcessed(state.iterations() * ranks);
}
BENCHMARK(coupled_ring)->Arg(1024)->Arg(131072);

// 1 GiB all_reduce over 8 GPUs on one switch, slice by slice; items are slices.
void chunk_run(benchmark::State& state, const char* algorithm) {
  const Topology fabric = testing::gpus_on_one_switch(8);
  const std::vector<Profile> profiles = builtin_profiles();
  const testing::TestPlan test(fabric, {algorithm, CollectiveKind::AllReduce}, Protocol::Simple, 24,
                               profile_for(profiles, 90));
  const Bytes size{std::int64_t{1} << 30};
  for (auto _ : state) benchmark::DoNotOptimize(testing::chunk_time(test, size));
  state.SetItemsProcessed(state.iterations() * slice_count(test.outline(), test.cut(size)));
}
BENCHMARK_CAPTURE(chunk_run, ring, "ring");
BENCHMARK_CAPTURE(chunk_run, tree, "tree");
BENCHMARK_CAPTURE(chunk_run, nvls, "nvls");

// An all_reduce over H100 servers, rail-optimised in three tiers, at `stream`: the loads of 8
// orders of the ranks, each of which enters and leaves a server by another NIC, and one run. Items
// are GPUs.
void stream_run(benchmark::State& state, const char* algorithm) {
  const auto servers = static_cast<int>(state.range(0) / 8);
  std::vector<std::vector<std::int32_t>> orders(8);
  for (int ring = 0; ring < 8; ++ring) {
    for (int rank = 0; rank < 8 * servers; ++rank) {
      orders[ring].push_back(rank / 8 * 8 + (rank + ring) % 8);
    }
  }
  for (auto _ : state) {
    const testing::TestPlan test(
        testing::servers_on_fabric(servers, 8,
                                   "kind = \"rail-optimized\"\nlink = \"ib-ndr\"\ntiers = 3\n"
                                   "routing = \"adaptive\"\n"),
        {algorithm, CollectiveKind::AllReduce}, Protocol::Simple, 16, testing::hopper_profile(),
        orders);
    benchmark::DoNotOptimize(testing::stream_time(test, Bytes{std::int64_t{1} << 30}));
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(stream_run, ring, "ring")->Arg(16384)->Arg(131072)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_run, tree, "tree")->Arg(131072)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_run, nvlstree, "nvlstree")->Arg(131072)->Unit(benchmark::kMillisecond);

// Proof of a ring schedule; items are operations.
void check_ring(benchmark::State& state) {
  const auto algorithms = builtin_algorithms();
  const auto ring = algorithms.at("ring").factory();
  const auto ranks = static_cast<int>(state.range(0));
  const auto schedule = ring->build({{CollectiveKind::AllReduce, ranks, 0}, {}, 0});
  for (auto _ : state) benchmark::DoNotOptimize(check_schedule(*schedule));
  state.SetItemsProcessed(state.iterations() * schedule->operation_count());
}
BENCHMARK(check_ring)->Arg(33)->Arg(128);

}  // namespace
}  // namespace ringspan

BENCHMARK_MAIN();
