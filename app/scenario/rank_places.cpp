#include "app/scenario/rank_places.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Appends up to `most` GPUs of one server; returns how many there were.
int append_server(const Cluster& cluster, int domain, int server, int most,
                  std::vector<GpuPlace>& ranks) {
  const DomainKind& kind = cluster.domain(domain);
  int found = 0;
  for (std::size_t gpu = 0; gpu < kind.gpus.size() && found < most; ++gpu) {
    if (kind.topology.device(kind.gpus[gpu]).server != server) continue;
    ranks.push_back({domain, static_cast<std::int32_t>(gpu)});
    ++found;
  }
  return found;
}

int gpus_of_each(int nodes, int gpus) {
  if (gpus % nodes == 0) return gpus / nodes;
  throw InputError(
      fmt::format("--nodes {} --gpus {}: {} cannot hold {} in equal parts", nodes, gpus,
                  counted(nodes, "server"), counted(gpus, "GPU")),
      fmt::format("--gpus is the number of all GPUs together: a multiple of {}", nodes));
}

RankPlaces on_each_server(const System& system, int nodes, int each) {
  const Cluster& cluster = system.cluster;
  RankPlaces places;
  for (int domain = 0; places.servers < nodes; ++domain) {
    for (int server = 0; server < cluster.domain(domain).servers() && places.servers < nodes;
         ++server, ++places.servers) {
      const int found = append_server(cluster, domain, server, each, places.ranks);
      if (found == each || each == std::numeric_limits<int>::max()) continue;
      throw InputError(
          fmt::format("{} {} of each server were asked for, server {} of {} has {}", each,
                      each == 1 ? "GPU" : "GPUs", places.servers, system.info.name, found),
          fmt::format("--gpus up to {}", static_cast<std::int64_t>(found) * nodes));
    }
  }
  return places;
}

RankPlaces first_gpus(const Cluster& cluster, std::int64_t gpus) {
  RankPlaces places;
  places.ranks.reserve(static_cast<std::size_t>(gpus));
  int last_server = -1;
  for (int domain = 0; static_cast<std::int64_t>(places.ranks.size()) < gpus; ++domain) {
    const auto here = static_cast<std::int64_t>(cluster.domain(domain).gpus.size());
    const std::int64_t left = gpus - static_cast<std::int64_t>(places.ranks.size());
    for (std::int32_t gpu = 0; gpu < std::min(here, left); ++gpu) {
      places.ranks.push_back({domain, gpu});
      const int server = cluster.server_of(places.ranks.back());
      if (server != last_server) ++places.servers;
      last_server = server;
    }
  }
  return places;
}

}  // namespace

RankPlaces choose_ranks(const System& system, std::optional<int> nodes, std::optional<int> gpus) {
  const Cluster& cluster = system.cluster;
  const std::int64_t most = cluster.gpu_count();
  if (gpus && (*gpus < 1 || *gpus > most)) {
    throw InputError(
        fmt::format("{} has {}, {} were asked for", system.info.name, counted(most, "GPU"), *gpus),
        fmt::format("--gpus from 1 to {}", most));
  }
  if (nodes && (*nodes < 1 || *nodes > cluster.server_count())) {
    throw InputError(fmt::format("{} has {}, {} were asked for", system.info.name,
                                 counted(cluster.server_count(), "server"), *nodes),
                     fmt::format("--nodes from 1 to {}", cluster.server_count()));
  }
  if (!nodes) return first_gpus(cluster, gpus.value_or(static_cast<int>(most)));
  const int each = gpus ? gpus_of_each(*nodes, *gpus) : std::numeric_limits<int>::max();
  return on_each_server(system, *nodes, each);
}

RankPlaces placed(RankPlaces places, std::span<const std::int32_t> numbers, const System& system) {
  if (numbers.empty()) return places;
  RankPlaces chosen;
  std::set<int> servers;
  for (const std::int32_t number : numbers) {
    chosen.ranks.push_back(places.ranks.at(static_cast<std::size_t>(number)));
    servers.insert(system.cluster.server_of(chosen.ranks.back()));
  }
  chosen.servers = static_cast<int>(servers.size());
  return chosen;
}

}  // namespace ringspan
