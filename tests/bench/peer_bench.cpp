// ringspan_peer_bench: the workloads of peer/simgrid_driver.cpp on our engine, as one line of
// key=value pairs. wall_s covers the whole process from main's entry, run_s all that comes after
// the options and the fabric.

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "sim/base/input_error.h"
#include "tests/bench/peer_fabric.h"
#include "tests/bench/peer_options.h"
#include "tests/bench/peer_process.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts KiB
}

int bench(const std::vector<std::string>& arguments, Clock::time_point start) {
  const auto options = ringspan::bench::parse_peer_options(arguments);
  const ringspan::bench::PeerFabric fabric(options);
  const auto run_start = Clock::now();
  const auto network = ringspan::bench::make_peer_network(options, fabric);
  const auto result = ringspan::bench::run_peer_case(options, fabric, *network);
  const double run_s = seconds_since(run_start);
  std::printf(
      "topo=%s coll=%s style=single hosts=%u size=%lld sim_us=%.3f flows=%lld run_s=%.4f "
      "wall_s=%.4f flows_per_s=%.0f rss_mib=%.1f\n",
      options.topo.c_str(), options.coll.c_str(), options.hosts,
      static_cast<long long>(options.size), result.simulated_us,
      static_cast<long long>(result.flows), run_s, seconds_since(start),
      static_cast<double>(result.flows) / run_s, peak_memory_mib());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto start = Clock::now();
  try {
    return bench(std::vector<std::string>(argv + 1, argv + argc), start);
  } catch (const ringspan::InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ringspan_peer_bench: %s\n", error.what());
    return 1;
  }
}
