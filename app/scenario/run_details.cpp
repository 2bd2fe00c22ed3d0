#include "app/scenario/run_details.h"

#include <algorithm>

#include "models/workloads/load_report.h"

namespace ringspan {

void describe_loads(const StreamLoads& loads, const SizeCut& cut, RunRow& row) {
  row.rank_send_bytes = busiest_rank_bytes(loads, cut);
  const double seconds = to_seconds(row.time);
  for (const ResourceBytes& entry : resource_bytes(loads, cut)) {
    const FabricResource& resource = entry.resource;
    // What these bytes could get of the resource: less than its rate where staging wastes some.
    const double rate =
        static_cast<double>(resource.rate.bits_per_second) / 8 * entry.bytes / entry.load;
    row.loads.push_back({resource.name, resource.link_class, entry.bytes, rate,
                         seconds > 0 ? entry.bytes / (rate * seconds) : 0});
  }
  std::stable_sort(
      row.loads.begin(), row.loads.end(),
      [](const ResourceLoad& a, const ResourceLoad& b) { return a.utilisation > b.utilisation; });
  if (row.loads.empty()) {
    row.bottleneck = "latency";
    return;
  }
  constexpr double kBandwidthBound = 0.5;
  const ResourceLoad& busiest = row.loads.front();
  row.bottleneck_utilisation = busiest.utilisation;
  row.bottleneck = busiest.utilisation >= kBandwidthBound ? busiest.name : "latency";
}

}  // namespace ringspan
