#include "app/scenario/run_details.h"

#include <algorithm>

namespace ringspan {

void describe_loads(const CollectivePlan& plan, const SizeCut& cut, RunRow& row) {
  const StaticLoad load = static_load(plan, cut);
  row.rank_send_bytes = load.rank_send_payload;
  const double seconds = to_seconds(row.time);
  for (std::size_t l = 0; l < plan.infos.size(); ++l) {
    if (load.link_bytes[l] <= 0) continue;
    const FabricResource& info = plan.infos[l];
    // What these bytes could get of the resource: less than its rate where staging wastes some.
    const double rate =
        static_cast<double>(info.rate.bits_per_second) / 8 * load.link_bytes[l] / load.link_load[l];
    row.loads.push_back({info.name, info.link_class, load.link_bytes[l], rate,
                         seconds > 0 ? load.link_bytes[l] / (rate * seconds) : 0});
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
