#include "models/workloads/pair_groups.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

PairGroups::PairGroups(const PlanInput& input, std::span<const std::int32_t> channels)
    : cluster_(*input.cluster),
      profile_(*input.profile),
      transport_(input.transport),
      stop_(input.stop) {
  const bool apart = channels_take_own_ways(cluster_, transport_);
  channels_.assign(channels.begin(), apart ? channels.end() : channels.begin() + 1);
  std::map<std::int32_t, std::vector<std::int32_t>> gpus_of;  // by domain
  for (const GpuPlace& place : input.ranks) gpus_of[place.domain].push_back(place.gpu);
  std::map<std::pair<std::int32_t, std::vector<std::int32_t>>, std::size_t> known;
  for (auto& [domain, gpus] : gpus_of) {
    std::sort(gpus.begin(), gpus.end());
    const std::int32_t kind = cluster_.kind_of(domain);
    const auto [found, added] = known.emplace(std::pair{kind, gpus}, groups_.size());
    if (added) groups_.push_back({kind, gpus, {}});
    groups_[found->second].domains.push_back(domain);
  }
}

// Calls visit(group, group, GPU, GPU, channel) for the pairs that stand for all between domains.
template <typename Visit>
void PairGroups::for_each_leg_pair(Visit visit) {
  for (std::size_t a = 0; a < groups_.size(); ++a) {
    for (std::size_t b = 0; b < groups_.size(); ++b) {
      if (peers(a, b) == 0) continue;
      for (const std::int32_t from : groups_[a].gpus) {
        for (const std::int32_t to : groups_[b].gpus) {
          for (const std::int32_t channel : channels_) {
            stop_.step();
            visit(a, b, GpuPlace{groups_[a].domains.front(), from},
                  GpuPlace{groups_[b].domains.back(), to}, channel);
          }
        }
      }
    }
  }
}

void PairGroups::declare(ClusterPaths& paths) {
  for_each_local_pair([&](const GpuPlace& from, const GpuPlace& to) {
    paths.declare({&from, 1}, {&to, 1}, channels_);
  });
  for_each_leg_pair([&](std::size_t, std::size_t, const GpuPlace& from, const GpuPlace& to,
                        std::int32_t channel) {
    paths.declare({&from, 1}, {&to, 1}, {&channel, 1});
  });
}

void PairGroups::sum(const ClusterPaths& paths, double bytes, LoadSums& sums) {
  streams_.clear();
  for (const Group& group : groups_) {
    streams_.emplace_back(cluster_.kinds()[static_cast<std::size_t>(group.kind)].nics.size());
  }
  longest_leg_ = longest_route_ = longest_between_ = {};
  sum_local(paths, bytes, sums);
  if (cluster_.fabric() == nullptr) return;
  sum_legs(paths, bytes, sums);
  sum_fabric(paths, sums);
  longest_between_ = longest_leg_ + longest_route_;
}

void PairGroups::sum_local(const ClusterPaths& paths, double bytes, LoadSums& sums) {
  FabricPath path;
  PathScratch scratch;
  for (const Group& group : groups_) {
    for (const std::int32_t from : group.gpus) {
      for (const std::int32_t to : group.gpus) {
        if (from == to) continue;
        stop_.step();
        paths.find({group.domains[0], from}, {group.domains[0], to}, channels_, scratch, path);
        const std::uint32_t first = paths.first_resource(group.domains[0]);
        for (const std::int32_t domain : group.domains) {
          const std::uint32_t here = paths.first_resource(domain);
          for (const ResourceUse& use : path.uses) {
            sums.add(here + use.resource - first, use.load(profile_.staging_efficiency) * bytes,
                     use.weight * bytes);
          }
        }
      }
    }
  }
}

// Both ends of all transfers between domains, and what their NICs send each other.
void PairGroups::sum_legs(const ClusterPaths& paths, double bytes, LoadSums& sums) {
  // By group and resource of its domains: what each of them carries.
  std::vector<LoadSums> of_group;
  for (const Group& group : groups_) {
    const int domain = group.domains.front();
    of_group.emplace_back(paths.first_resource(domain + 1) - paths.first_resource(domain));
  }
  FabricPath send, receive;
  Duration longest_send{}, longest_receive{};
  const double part = bytes / static_cast<double>(channels_.size());
  for_each_leg_pair([&](std::size_t a, std::size_t b, const GpuPlace& from, const GpuPlace& to,
                        std::int32_t channel) {
    const Transport::Legs legs = transport_->legs(from, to, channel);
    paths.find_leg(from, legs.send, true, send);
    paths.find_leg(to, legs.receive, false, receive);
    longest_send = std::max(longest_send, send.latency);
    longest_receive = std::max(longest_receive, receive.latency);
    const auto add = [&](std::size_t group, const FabricPath& path, int domain,
                         std::int64_t transfers) {
      const auto times = static_cast<double>(transfers);
      for (const ResourceUse& use : path.uses) {
        of_group[group].add(use.resource - paths.first_resource(domain),
                            times * use.load(profile_.staging_efficiency) * part,
                            times * use.weight * part);
      }
    };
    add(a, send, from.domain, peers(a, b));
    add(b, receive, to.domain, peers(b, a));
    add_stream(a, legs.send.nic, {b, legs.receive.nic, {part, part}});
  });
  longest_leg_ = longest_send + longest_receive;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const std::int32_t domain : groups_[g].domains) {
      const std::uint32_t first = paths.first_resource(domain);
      for (const std::uint32_t r : of_group[g].touched()) {
        sums.add(first + r, of_group[g][r].load, of_group[g][r].bytes);
      }
    }
  }
}

void PairGroups::add_stream(std::size_t from, std::int32_t from_nic, const Stream& stream) {
  auto& streams = streams_[from][static_cast<std::size_t>(from_nic)];
  const auto known = std::find_if(streams.begin(), streams.end(), [&](const Stream& other) {
    return other.to_group == stream.to_group && other.to_nic == stream.to_nic;
  });
  if (known == streams.end()) {
    streams.push_back(stream);
  } else {
    known->load.load += stream.load.load;
    known->load.bytes += stream.load.bytes;
  }
}

void PairGroups::sum_fabric(const ClusterPaths& paths, LoadSums& sums) {
  read_ports();
  const std::uint32_t first = paths.first_resource(cluster_.domain_count());
  sum_ports(first, sums);
  sum_attachments(first, sums);
}

void PairGroups::read_ports() {
  ports_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const auto nics = static_cast<std::int32_t>(streams_[g].size());
    for (const std::int32_t domain : groups_[g].domains) {
      for (std::int32_t nic = 0; nic < nics; ++nic) {
        ports_.push_back({cluster_.port(domain, nic), g, domain, nic});
      }
    }
  }
}

bool PairGroups::takes_one_way() const {
  return cluster_.fabric()->choice().spread() == PathChoice::Spread::One;
}

FlowKey PairGroups::flow(std::uint32_t from, std::uint32_t to) const {
  return {from, to, static_cast<std::uint32_t>(channels_.front())};
}

void PairGroups::route(std::uint32_t from, std::uint32_t to) {
  if (takes_one_way()) {
    cluster_.fabric()->even_route(flow(from, to), route_);
  } else {
    cluster_.fabric()->route(flow(from, to), route_);
  }
  longest_route_ = std::max(longest_route_, route_.latency);
}

// The same where only the ports' own cables are asked for.
void PairGroups::route_ends(std::uint32_t from, std::uint32_t to) {
  if (!takes_one_way()) {
    route(from, to);
    return;
  }
  cluster_.fabric()->even_ends(flow(from, to), route_);
  longest_route_ = std::max(longest_route_, route_.latency);
}

// A port's own cables: stage 0 of what it sends, the last stage of what it receives. All ways from
// one port begin alike, whatever the other end.
void PairGroups::sum_ports(std::uint32_t first_resource, LoadSums& sums) {
  struct Total {
    LinkLoad load;
    std::size_t peer_group = 0;
    std::int32_t peer_nic = -1;  // -1: nothing goes this way
  };
  std::vector<std::vector<Total>> sent, received;  // by group and NIC
  for (const auto& nics : streams_) sent.emplace_back(nics.size());
  received = sent;
  const auto add = [](Total& total, const LinkLoad& load, std::int64_t times, std::size_t group,
                      std::int32_t nic) {
    total.load.load += static_cast<double>(times) * load.load;
    total.load.bytes += static_cast<double>(times) * load.bytes;
    total.peer_group = group;
    total.peer_nic = nic;
  };
  for (std::size_t a = 0; a < streams_.size(); ++a) {
    for (std::size_t nic = 0; nic < streams_[a].size(); ++nic) {
      for (const Stream& stream : streams_[a][nic]) {
        const auto to_nic = static_cast<std::size_t>(stream.to_nic);
        add(sent[a][nic], stream.load, peers(a, stream.to_group), stream.to_group, stream.to_nic);
        add(received[stream.to_group][to_nic], stream.load, peers(stream.to_group, a), a,
            static_cast<std::int32_t>(nic));
      }
    }
  }
  const auto peer_port = [this](const Total& total, std::int32_t domain) {
    const std::vector<std::int32_t>& domains = groups_[total.peer_group].domains;
    return cluster_.port(domains.front() == domain ? domains.back() : domains.front(),
                         total.peer_nic);
  };
  const auto put = [&](const Total& total, bool sends) {
    for (const FabricUse& use : route_.uses) {
      if (use.stage != (sends ? 0 : route_.uses.back().stage)) continue;
      const double share = use.share;
      sums.add(first_resource + use.link, share * total.load.load, share * total.load.bytes);
    }
  };
  for (const Port& port : ports_) {
    stop_.step();
    const Total& out = sent[port.group][static_cast<std::size_t>(port.nic)];
    if (out.peer_nic >= 0) {
      route_ends(port.number, peer_port(out, port.domain));
      put(out, true);
    }
    const Total& in = received[port.group][static_cast<std::size_t>(port.nic)];
    if (in.peer_nic >= 0) {
      route_ends(peer_port(in, port.domain), port.number);
      put(in, false);
    }
  }
}

// Kinds of ports: a group's NICs, group after group.
AttachmentTraffic PairGroups::attachment_traffic(const AttachmentClasses& classes) const {
  std::vector<std::uint32_t> first_kind{0};
  for (const auto& nics : streams_) {
    first_kind.push_back(first_kind.back() + static_cast<std::uint32_t>(nics.size()));
  }
  std::vector<std::vector<AttachmentTraffic::Stream>> streams;
  for (std::size_t group = 0; group < streams_.size(); ++group) {
    for (const std::vector<Stream>& of_nic : streams_[group]) {
      auto& out = streams.emplace_back();
      for (const Stream& stream : of_nic) {
        const auto nic = static_cast<std::uint32_t>(stream.to_nic);
        out.push_back({first_kind[stream.to_group] + nic, stream.to_group == group, stream.load});
      }
    }
  }
  std::vector<AttachmentTraffic::Port> ports;
  for (const Port& port : ports_) {
    ports.push_back({cluster_.fabric()->attachment(port.number),
                     first_kind[port.group] + static_cast<std::uint32_t>(port.nic)});
  }
  return {classes, std::move(ports), std::move(streams)};
}

// What lies between the ports' own cables: from every class of alike attachments to every other.
void PairGroups::sum_attachments(std::uint32_t first_resource, LoadSums& sums) {
  const AttachmentClasses classes = cluster_.fabric()->attachment_classes();
  AttachmentTraffic traffic = attachment_traffic(classes);
  std::vector<std::uint32_t> port_at(classes.of.size());
  for (const Port& port : ports_) port_at[cluster_.fabric()->attachment(port.number)] = port.number;
  for (std::uint32_t from = 0; from < classes.count; ++from) {
    stop_.ask();
    traffic.sum(from);
    for (std::uint32_t to = 0; to < classes.count; ++to) {
      const auto ends = two_that_exchange(traffic, to);
      if (!ends) continue;
      stop_.ask();
      route(port_at[ends->first], port_at[ends->second]);
      add_class(classes, traffic, *ends, first_resource, sums);
    }
  }
}

// An attachment of the class that was summed and another of `to`; nothing where none sends.
std::optional<std::pair<std::uint32_t, std::uint32_t>> PairGroups::two_that_exchange(
    const AttachmentTraffic& traffic, std::uint32_t to) {
  const auto members = traffic.members();
  std::size_t sender = 0;
  while (sender < members.size() && traffic.sent(sender, to).bytes <= 0) ++sender;
  if (sender == members.size()) return std::nullopt;
  for (const std::uint32_t receiver : traffic.members_of(to)) {
    if (receiver != members[sender] && traffic.received(receiver).bytes > 0) {
      return std::pair{members[sender], receiver};
    }
  }
  return std::nullopt;
}

// Adds what goes between two classes, over the route between `ends`, one of each.
void PairGroups::add_class(const AttachmentClasses& classes, const AttachmentTraffic& traffic,
                           const std::pair<std::uint32_t, std::uint32_t>& ends,
                           std::uint32_t first_resource, LoadSums& sums) const {
  const std::uint32_t to = classes.of[ends.second];
  const std::uint32_t last = route_.uses.back().stage;
  const auto members = traffic.members();
  LinkLoad all;
  for (std::size_t i = 0; i < members.size(); ++i) {
    all.load += traffic.sent(i, to).load;
    all.bytes += traffic.sent(i, to).bytes;
  }
  for (const FabricUse& use : route_.uses) {
    if (use.stage == 0 || use.stage == last) continue;
    const double share = use.share;
    const auto add = [&](std::uint32_t link, const LinkLoad& load) {
      if (load.bytes > 0) sums.add(first_resource + link, share * load.load, share * load.bytes);
    };
    if (use.stage == 1) {
      const std::uint32_t nth = use.link - classes.first_up[ends.first];
      for (std::size_t i = 0; i < members.size(); ++i) {
        add(classes.first_up[members[i]] + nth, traffic.sent(i, to));
      }
    } else if (use.stage + 1 == last) {
      const std::uint32_t nth = use.link - classes.first_down[ends.second];
      for (const std::uint32_t receiver : traffic.members_of(to)) {
        add(classes.first_down[receiver] + nth, traffic.received(receiver));
      }
    } else {
      add(use.link, all);
    }
  }
}

}  // namespace ringspan
