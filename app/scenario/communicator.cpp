#include "app/scenario/communicator.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "app/scenario/eligibility.h"
#include "app/scenario/ll128_paths.h"
#include "app/scenario/nccl_settings.h"
#include "models/nccl/channel_rules.h"
#include "models/nccl/cluster_channels.h"
#include "models/nccl/communicator_graphs.h"
#include "models/nccl/kernel_shape.h"
#include "models/nccl/p2p_channels.h"
#include "sim/base/check.h"
#include "sim/base/memory.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

// NCCL's MAXCHANNELS since 2.25.
constexpr int kMostChannels = 64;

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::shared_ptr<const Transport> make_transport(const System& system) {
  if (system.cluster.domain_count() == 1) return nullptr;
  return std::make_shared<Transport>(system.cluster, TransportOptions{system.transport.pxn});
}

Communicator::Communicator(const RunScenario& scenario, const System& system,
                           const Catalog& catalog, RankPlaces places,
                           std::shared_ptr<const Transport> transport, StopCheck stop)
    : scenario_(scenario),
      system_(system),
      catalog_(catalog),
      places_(std::move(places)),
      transport_(std::move(transport)),
      stop_(std::move(stop)) {
  choose_root();
  choose_gpu_model();
  choose_profile();
  open_ways();
}

void Communicator::choose_root() {
  spec_ = {scenario_.collective, ranks(), 0};
  if (!collective_has_root(scenario_.collective)) return;
  if (scenario_.root < 0 || scenario_.root >= ranks()) {
    throw InputError(fmt::format("root {} is not one of the {} ranks", scenario_.root, ranks()),
                     fmt::format("--root from 0 to {}", ranks() - 1));
  }
  spec_.root = scenario_.root;
}

void Communicator::choose_gpu_model() {
  for (const GpuPlace& place : places()) {
    const DomainKind& kind = system_.cluster.domain(place.domain);
    const GpuModel& model = kind.topology.gpu_model(kind.gpus[static_cast<std::size_t>(place.gpu)]);
    if (gpu_model_ == nullptr || model.compute_capability < gpu_model_->compute_capability) {
      gpu_model_ = &model;
    }
  }
}

void Communicator::choose_profile() {
  profile_ = scenario_.profile
                 ? &*scenario_.profile
                 : &profile_for(catalog_.profiles, gpu_model().compute_capability, has_nvlink());
}

// Any GPU that takes part.
bool Communicator::has_nvlink() const {
  return std::any_of(places().begin(), places().end(), [&](const GpuPlace& place) {
    const DomainKind& kind = system_.cluster.domain(place.domain);
    const auto links = kind.topology.out_links(kind.gpus[static_cast<std::size_t>(place.gpu)]);
    return std::any_of(links.begin(), links.end(), [&](LinkId id) {
      return kind.topology.link(id).link_class == LinkClass::NvLink;
    });
  });
}

ChannelSet Communicator::find_channels() const {
  if (transport_) return search_cluster_channels(system_.cluster, places(), *transport_);
  const DomainKind& kind = system_.cluster.domain(0);
  std::vector<NodeId> gpus;
  for (const GpuPlace& place : places()) {
    gpus.push_back(kind.gpus[static_cast<std::size_t>(place.gpu)]);
  }
  return search_channels(kind.topology, gpus);
}

NcclVersion Communicator::version() const {
  return scenario_.nccl.empty() ? newest_nccl_version()
                                : resolved_nccl_version(parse_nccl_version(scenario_.nccl));
}

void Communicator::make_tuner() {
  if (ranks() < 2 || !tuner_knows(spec_.kind)) return;
  const CommunicatorGraphs graphs =
      communicator_graphs(system_.cluster, places(), channels_, transport_.get(), version());
  const TunerQuestion question{spec_.kind, switch_reduces(scenario_.dtype, scenario_.op),
                               scenario_.op == "avg"};
  tuner_ = std::make_unique<const TunerTable>(graphs, version(), question);
}

const Way* Communicator::tuned_way(Bytes size) const {
  if (!tuner_) return nullptr;
  const auto find = [&](const TunerWay& tuned) {
    return std::find_if(ways_.begin(), ways_.end(), [&](const Way& way) {
      return way.protocol == tuned.protocol &&
             way.algorithm == tuner_algorithm_name(tuned.algorithm);
    });
  };
  const auto open = [&](const TunerWay& tuned) { return find(tuned) != ways_.end(); };
  const std::optional<TunerWay> picked = tuner_->pick(size.count, open);
  return picked ? &*find(*picked) : nullptr;
}

void Communicator::open_ways() {
  channels_ = find_channels();
  make_tuner();
  ll128_bar_ = ll128_bar(system_.cluster, places(), channels_, transport_.get());
  if (scenario_.channels && (*scenario_.channels < 1 || *scenario_.channels > kMostChannels)) {
    throw InputError(fmt::format("{} channels cannot be opened", *scenario_.channels),
                     fmt::format("--channels from 1 to {}", kMostChannels));
  }
  std::string why_not;
  NcclEnvironment settings = scenario_.environment;
  if (scenario_.algorithm) {
    catalog_.algorithms.at(*scenario_.algorithm);
    open_algorithm(*scenario_.algorithm, why_not);
    settings.algorithms.clear();  // what is forced wins
    settings.nvls = settings.collnet = std::nullopt;
  } else {
    open_default_algorithms(why_not);
  }
  if (!ways_.empty()) {
    keep_allowed(settings);
    leave_out_what_does_not_fit();
    return;
  }
  std::vector<std::string> able;
  for (const auto& entry : catalog_.algorithms.entries()) {
    const auto algorithm = entry.factory();
    if (algorithm_bar(entry.name, *algorithm, scenario_, system_.cluster, places(), *profile_)
            .empty()) {
      able.push_back(entry.name);
    }
  }
  throw InputError(why_not, fmt::format("algorithms for {} here: {}", collective_name(spec_.kind),
                                        joined(able)));
}

void Communicator::open_default_algorithms(std::string& why_not) {
  std::vector<std::string> names = default_algorithms(spec_.kind, one_rank_per_node());
  for (const std::string& name : scenario_.environment.algorithms) {  // PAT, where it is no default
    if (tuner_knows(spec_.kind) && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  std::string reason;
  for (const std::string& name : names) {
    open_algorithm(name, reason);
    if (why_not.empty()) why_not = reason;
  }
}

// Settings that leave nothing are not applied: NCCL would end there, and the question stays open.
void Communicator::keep_allowed(const NcclEnvironment& settings) {
  std::vector<Way> allowed;
  std::copy_if(ways_.begin(), ways_.end(), std::back_inserter(allowed),
               [&](const Way& way) { return is_allowed(settings, way.algorithm, way.protocol); });
  if (!allowed.empty()) {
    ways_ = std::move(allowed);
    return;
  }
  left_out_.push_back(fmt::format(
      "NCCL's settings of algorithm and protocol leave nothing for {} here: not applied",
      collective_name(spec_.kind)));
}

void Communicator::open_algorithm(const std::string& name, std::string& why_not) {
  auto algorithm = catalog_.algorithms.at(name).factory();
  why_not = algorithm_bar(name, *algorithm, scenario_, system_.cluster, places(), *profile_);
  if (!why_not.empty()) return;
  for (const Protocol protocol : kAllProtocols) {
    if (scenario_.protocol && *scenario_.protocol != protocol) continue;
    std::string bar = protocol_bar(name, protocol, ll128_bar_);
    if (bar.empty()) {
      ways_.push_back({name, protocol, channels_for(name)});
    } else {
      why_not = std::move(bar);
    }
  }
  algorithms_[name] = std::move(algorithm);
  if (name == "p2p") {
    over_nvlink_ = nvlink_inside(system_.cluster, places());
    channels_per_peer_ =
        p2p_channels_per_peer(system_.cluster, places(), transport_.get(), channels_for(name));
  }
}

// NCCL's nodes: domains.
bool Communicator::spans_nodes() const {
  return std::any_of(places().begin(), places().end(), [&](const GpuPlace& place) {
    return place.domain != places().front().domain;
  });
}

bool Communicator::one_rank_per_node() const {
  std::set<std::int32_t> domains;
  for (const GpuPlace& place : places()) domains.insert(place.domain);
  return domains.size() == places().size() && places().size() > 1;
}

// At least one way stays: plan() refuses it with the figures.
void Communicator::leave_out_what_does_not_fit() {
  const std::int64_t available = available_memory_bytes();
  const auto fits = [&](const Way& way) { return loads_bytes(way) <= available; };
  if (std::none_of(ways_.begin(), ways_.end(), fits)) return;
  for (const Way& way : ways_) {
    if (fits(way)) continue;
    left_out_.push_back(fmt::format(
        "{} with {} is left out: over {} ranks it needs about {} of memory, {} are available",
        way.algorithm, protocol_name(way.protocol), ranks(), format_size(Bytes{loads_bytes(way)}),
        format_size(Bytes{available})));
  }
  ways_.erase(std::remove_if(ways_.begin(), ways_.end(), std::not_fn(fits)), ways_.end());
}

// NVLS has channels of its own, whose number hangs on whether several nodes take part.
int Communicator::channels_for(const std::string& algorithm) const {
  if (scenario_.channels) return *scenario_.channels;
  const int found =
      allowed_channels(scenario_.environment, static_cast<int>(channels_.orders.size()));
  if (algorithm == "nvls" || algorithm == "nvlstree") {
    const int most = scenario_.environment.max_channels.value_or(kMostChannels);
    return std::min(most,
                    spans_nodes() ? profile_->nvls_channels_over_nodes : profile_->nvls_channels);
  }
  return algorithm == "p2p" ? p2p_channels(found) : found;
}

const Way& Communicator::shaped(const Way& way, Bytes size) {
  KernelShape shape{way.channels, 0};
  if (way.algorithm == "p2p") {
    if (!scenario_.channels && !spans_nodes()) {
      const int peers = spec_.kind == CollectiveKind::SendRecv ? 1 : ranks() - 1;
      shape.channels = busy_channels(messages_of(way, size), peers);
    }
  } else if (!scenario_.channels) {
    shape = kernel_shape(way.algorithm, way.protocol, ranks(), size, way.channels);
  }
  const auto key = std::tuple(way.algorithm, way.protocol, shape.channels, shape.per_channel);
  return shaped_
      .try_emplace(key, Way{way.algorithm, way.protocol, shape.channels, shape.per_channel})
      .first->second;
}

P2pMessages Communicator::messages_of(const Way& way, Bytes size) const {
  const bool to_all = spec_.kind != CollectiveKind::SendRecv;
  return {.message = Bytes{to_all ? size.count / ranks() : size.count},
          .ranks = ranks(),
          .channels = way.channels,
          .channels_per_peer = channels_per_peer_,
          .over_nvlink = over_nvlink_};
}

// Connections over a network have no buffers for LL (NCCL_ALLOC_P2P_NET_LL_BUFFERS=0).
const Way* Communicator::message_way(Bytes size) const {
  if (ways_.front().algorithm != "p2p" || scenario_.protocol) return nullptr;
  const bool ll = !spans_nodes() && p2p_uses_ll(messages_of(ways_.front(), size), version());
  for (const Way& way : ways_) {
    if ((way.protocol == Protocol::LL) == ll) return &way;
  }
  return nullptr;
}

PlanInput Communicator::plan_input(const Way& way) const {
  PlanInput input;
  input.cluster = &system_.cluster;
  input.ranks = places();
  input.transport = transport_.get();
  input.spec = spec_;
  input.algorithm_name = way.algorithm;
  input.algorithm = algorithms_.at(way.algorithm).get();
  input.channels = way.channels;
  input.full_rate_channels = kChannelsPerSearchChannel * channels_.search_channels;
  input.channels_per_peer = channels_per_peer_;
  input.buffer = scenario_.environment.buffer.value_or(Bytes{0});
  input.orders = channels_.orders_of(way.algorithm);
  input.tree_pattern = channels_.tree_balanced ? TreePattern::Balanced : TreePattern::Tree;
  input.profile = profile_;
  input.stop = stop_;
  return input;
}

std::int64_t Communicator::loads_bytes(const Way& way) {
  const auto [bytes, added] = loads_bytes_.try_emplace({way.algorithm, way.channels}, 0);
  if (added) bytes->second = stream_memory_bytes(plan_input(way), outline(way));
  return bytes->second;
}

std::int64_t Communicator::plan_bytes(const Way& way) const {
  return plan_memory_bytes(plan_input(way));
}

const PlanOutline& Communicator::outline(const Way& way) {
  auto& slot = outlines_[{way.algorithm, way.channels}];
  if (!slot) slot = std::make_unique<PlanOutline>(PlanOutline::build(plan_input(way)));
  return *slot;
}

const StreamLoads& Communicator::loads(const Way& way) {
  auto& slot = loads_[{way.algorithm, way.channels}];
  if (!slot) {
    require_memory(loads_bytes(way), fmt::format("{} over {} ranks", way.algorithm, ranks()),
                   "use fewer ranks, or an algorithm with fewer pairs such as ring");
    slot = std::make_unique<StreamLoads>(StreamLoads::build(plan_input(way), outline(way)));
  }
  return *slot;
}

const CollectivePlan& Communicator::plan(const Way& way) {
  auto& slot = plans_[{{way.algorithm, way.channels}, way.protocol}];
  if (!slot) {
    require_memory(plan_bytes(way), fmt::format("{} over {} ranks", way.algorithm, ranks()),
                   "use fewer ranks, --granularity stream, or an algorithm with fewer pairs such "
                   "as ring");
    slot = std::make_unique<CollectivePlan>(
        CollectivePlan::build(plan_input(way), outline(way), way.protocol));
  }
  return *slot;
}

void require_memory(std::int64_t bytes, std::string_view what, std::string_view instead) {
  const std::int64_t available = available_memory_bytes();
  if (bytes <= available) return;
  throw InputError(fmt::format("{} needs about {} of memory, {} are available", what,
                               format_size(Bytes{bytes}), format_size(Bytes{available})),
                   std::string(instead));
}

}  // namespace ringspan
