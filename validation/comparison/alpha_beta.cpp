#include "validation/comparison/alpha_beta.h"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "app/scenario/rank_places.h"
#include "models/cost/fabric_class.h"
#include "models/cost/port_rates.h"

namespace ringspan {

namespace {

// Bytes per second.
double bytes_per_second(double bits_per_second) { return bits_per_second / 8; }

// What a GPU sends over links of this class.
double sending_rate(const Topology& topology, NodeId gpu, LinkClass link_class) {
  double rate = 0;
  for (const LinkId id : topology.out_links(gpu)) {
    const Link& link = topology.link(id);
    if (link.link_class != link_class) continue;
    rate += bytes_per_second(static_cast<double>(link.payload().bits_per_second));
  }
  return rate;
}

struct AlphaBetaConstants {
  double base = 0, alpha = 0;  // seconds
  double steps = 0;
  double moved_per_byte = 1;  // bytes that a rank sends per byte of nccl-tests' size
  double rate = 0;            // bytes per second
};

class AlphaBeta {
 public:
  AlphaBeta(const RunScenario& scenario, const System& system, const Catalog& catalog)
      : scenario_(scenario),
        cluster_(system.cluster),
        places_(choose_ranks(system, scenario.nodes, scenario.gpus)),
        fabric_class_(fabric_class_of(cluster_, places_.ranks)),
        profile_(scenario.profile ? *scenario.profile
                                  : profile_for(catalog.profiles, compute_capability())) {}

  AlphaBetaConstants constants() const {
    const AlgorithmCost& cost = profile_.cost_of("ring");
    constexpr auto kLl = static_cast<std::size_t>(Protocol::LL);
    AlphaBetaConstants result;
    result.base = to_seconds(profile_.launch.call + cost.base[kLl]);
    result.alpha = to_seconds(steps_cost(cost)[kLl]);
    result.steps = steps();
    result.moved_per_byte = moved_per_byte();
    result.rate = std::min(inner_rate(), between_domains());
    return result;
  }

 private:
  double ranks() const { return static_cast<double>(places_.ranks.size()); }
  bool is_peer_to_peer() const {
    return scenario_.collective == CollectiveKind::AllToAll ||
           scenario_.collective == CollectiveKind::Gather ||
           scenario_.collective == CollectiveKind::Scatter;
  }

  int compute_capability() const {
    int least = std::numeric_limits<int>::max();
    for (const GpuPlace& place : places_.ranks) {
      const DomainKind& domain = cluster_.domain(place.domain);
      const NodeId gpu = domain.gpus[static_cast<std::size_t>(place.gpu)];
      least = std::min(least, domain.topology.gpu_model(gpu).compute_capability);
    }
    return least;
  }

  const PerProtocol& steps_cost(const AlgorithmCost& cost) const {
    if (fabric_class_ == FabricClass::SeveralServers) return cost.network_step;
    return fabric_class_ == FabricClass::PcieServer ? cost.pcie_step : cost.nvlink_step;
  }

  double steps() const {
    switch (scenario_.collective) {
      case CollectiveKind::AllReduce:
        return 2 * (ranks() - 1);
      case CollectiveKind::SendRecv:
        return ranks() > 1 ? 1 : 0;
      default:
        return ranks() - 1;
    }
  }

  double moved_per_byte() const {
    switch (scenario_.collective) {
      case CollectiveKind::AllReduce:
        return 2 * (ranks() - 1) / ranks();
      case CollectiveKind::Broadcast:
      case CollectiveKind::Reduce:
      case CollectiveKind::SendRecv:
        return 1;
      default:
        return (ranks() - 1) / ranks();
    }
  }

  // What the poorest rank sends into its domain.
  double inner_rate() const {
    double least = std::numeric_limits<double>::infinity();
    for (const GpuPlace& place : places_.ranks) {
      const DomainKind& domain = cluster_.domain(place.domain);
      const NodeId gpu = domain.gpus[static_cast<std::size_t>(place.gpu)];
      const double nvlink = sending_rate(domain.topology, gpu, LinkClass::NvLink);
      const bool over_nvlink = fabric_class_ != FabricClass::PcieServer && nvlink > 0;
      least = std::min(least,
                       over_nvlink ? nvlink : sending_rate(domain.topology, gpu, LinkClass::Pcie));
    }
    return least;
  }

  // What the NICs of the poorest domain send for a ring, whose every connection carries all that a
  // rank sends; messages of all ranks share them.
  double between_domains() const {
    double least = std::numeric_limits<double>::infinity();
    if (fabric_class_ != FabricClass::SeveralServers || cluster_.fabric() == nullptr) return least;
    const std::vector<double> ports = port_rates(*cluster_.fabric());
    std::map<std::int32_t, double> ranks_in;
    for (const GpuPlace& place : places_.ranks) ++ranks_in[place.domain];
    for (const auto& [domain, count] : ranks_in) {
      double together = 0;
      const auto nics = static_cast<int>(cluster_.domain(domain).nics.size());
      for (int nic = 0; nic < nics; ++nic) {
        together += bytes_per_second(ports[cluster_.port(domain, nic)]);
      }
      least = std::min(least, is_peer_to_peer() ? together / count : together);
    }
    return least;
  }

  const RunScenario& scenario_;
  const Cluster& cluster_;
  RankPlaces places_;
  FabricClass fabric_class_;
  const Profile& profile_;
};

}  // namespace

BaselineTimes alpha_beta_baseline(const RunScenario& scenario, const System& system,
                                  const Catalog& catalog) {
  const AlphaBetaConstants constants = AlphaBeta(scenario, system, catalog).constants();
  return [constants](Bytes bytes) -> std::optional<Duration> {
    if (!(constants.rate > 0)) return std::nullopt;
    const double seconds =
        constants.base + constants.steps * constants.alpha +
        static_cast<double>(bytes.count) * constants.moved_per_byte / constants.rate;
    return duration_from_seconds(seconds);
  };
}

}  // namespace ringspan
