#pragma once

// Transfers between every two ranks, counted by groups instead of pair by pair: 24,576 ranks have
// 604 million pairs, but their GPUs sit alike in a few kinds of domains, and their NICs hang alike
// on some hundred switches.
//
// - Domains of one kind with the same GPUs taking part are a group. Inside a domain all pairs are
//   looked at, once per group.
// - Between domains the legs (GPU to NIC, NIC to GPU) hang on the two GPUs alone: every pair of
// GPUs
//   of every two groups is looked at once and stands for all its domains.
// - In the fabric, what goes from one class of alike attachments (leaves) to another is summed and
//   takes one route (attachment_traffic.h). A port's own cables carry what the port sends and
//   receives.
// Where ways are chosen by hashing, the parts are taken as even: with F flows on a link the busiest
// of many carries about 1 + O(1/sqrt(F)) of that.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "models/workloads/attachment_traffic.h"
#include "models/workloads/cluster_paths.h"
#include "models/workloads/load_sums.h"
#include "models/workloads/plan_outline.h"

namespace ringspan {

class PairGroups {
 public:
  // `channels`: those that every transfer is spread over. Keeps references to what `input` points
  // to.
  PairGroups(const PlanInput& input, std::span<const std::int32_t> channels);

  // As ClusterPaths::declare() for every pair.
  void declare(ClusterPaths& paths);

  // Adds what all pairs put on the links when each moves `bytes`; staged ones take more of a link's
  // rate.
  void sum(const ClusterPaths& paths, double bytes, LoadSums& sums);

  // Pairs inside a domain, one per group and pair of GPUs: representatives.
  template <typename Visit>
  void for_each_local_pair(Visit visit) const {
    for (const Group& group : groups_) {
      for (const std::int32_t from : group.gpus) {
        for (const std::int32_t to : group.gpus) {
          if (from != to) visit(GpuPlace{group.domains[0], from}, GpuPlace{group.domains[0], to});
        }
      }
    }
  }
  // After sum(): the longest wire latency between two domains; zero where there is one domain.
  Duration longest_between() const { return longest_between_; }

 private:
  struct Group {
    std::int32_t kind = 0;
    std::vector<std::int32_t> gpus;
    std::vector<std::int32_t> domains;
  };
  // What one domain's NIC sends to a NIC of one domain of another group.
  struct Stream {
    std::size_t to_group = 0;
    std::int32_t to_nic = 0;
    LinkLoad load;
  };
  struct Port {
    std::uint32_t number = 0;
    std::size_t group = 0;
    std::int32_t domain = 0;
    std::int32_t nic = 0;
  };

  // How many domains of group b a domain of group a sends to.
  std::int64_t peers(std::size_t a, std::size_t b) const {
    return static_cast<std::int64_t>(groups_[b].domains.size()) - (a == b ? 1 : 0);
  }
  template <typename Visit>
  void for_each_leg_pair(Visit visit);
  void sum_local(const ClusterPaths& paths, double bytes, LoadSums& sums);
  void sum_legs(const ClusterPaths& paths, double bytes, LoadSums& sums);
  void add_stream(std::size_t from, std::int32_t from_nic, const Stream& stream);
  void sum_fabric(const ClusterPaths& paths, LoadSums& sums);
  void sum_ports(std::uint32_t first_resource, LoadSums& sums);
  void sum_attachments(std::uint32_t first_resource, LoadSums& sums);
  void read_ports();
  AttachmentTraffic attachment_traffic(const AttachmentClasses& classes) const;
  static std::optional<std::pair<std::uint32_t, std::uint32_t>> two_that_exchange(
      const AttachmentTraffic& traffic, std::uint32_t to);
  void add_class(const AttachmentClasses& classes, const AttachmentTraffic& traffic,
                 const std::pair<std::uint32_t, std::uint32_t>& ends, std::uint32_t first_resource,
                 LoadSums& sums) const;
  bool takes_one_way() const;
  FlowKey flow(std::uint32_t from, std::uint32_t to) const;
  void route(std::uint32_t from, std::uint32_t to);
  void route_ends(std::uint32_t from, std::uint32_t to);

  const Cluster& cluster_;
  const Profile& profile_;
  const Transport* transport_;
  StopCheck stop_;
  std::vector<std::int32_t> channels_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::vector<Stream>>> streams_;  // by group and NIC of the sender
  std::vector<Port> ports_;                                // those that send or receive
  FabricRoute route_;
  Duration longest_leg_{}, longest_route_{}, longest_between_{};
};

}  // namespace ringspan
