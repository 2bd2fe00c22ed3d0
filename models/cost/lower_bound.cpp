#include "models/cost/lower_bound.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/cost/fabric_cuts.h"
#include "sim/base/check.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

// Bytes that must cross a cut, each way.
struct Needed {
  double out = 0;
  double in = 0;
};

class Bounds {
 public:
  Bounds(const Topology& topology, std::span<const NodeId> gpus, const CollectiveSpec& spec,
         Bytes size)
      : topology_(topology),
        spec_(spec),
        n_(static_cast<double>(spec.ranks)),
        size_(static_cast<double>(size.count)),
        direct_only_(joined_directly(topology, gpus)),
        nvlink_only_(direct_only_ || joined_by_nvlink(topology, gpus)),
        rank_(topology.devices().size(), -1),
        inside_(topology.devices().size(), 0) {
    for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
      rank_[gpus[rank].index()] = static_cast<std::int32_t>(rank);
    }
    gpu_of_rank_ = gpus;
    always_staged_ = topology.peer_reach() == PeerReach::Off && no_nvlink();
  }

  LowerBound run() {
    for (const CutFamily& family : fabric_cuts(topology_, gpu_of_rank_)) bound(family);
    return best_;
  }

 private:
  struct Capacity {
    double out = 0;  // bits/s
    double in = 0;
  };

  void bound(const CutFamily& family) {
    double ranks_seen = 0;
    double groups = 0;
    double all_in = 0;
    const bool each = family.below_memory && always_staged_;
    for (const Cut& cut : family.cuts) {
      mark(cut, 1);
      const std::vector<std::int32_t> ranks = ranks_of(cut);
      const Capacity capacity = capacity_of(cut);
      if (!ranks.empty() && (each || ranks.size() < gpu_of_rank_.size())) {
        const Needed needed = each ? needed_by_each(cut, ranks) : needed_across(ranks);
        consider(cut.label, "send", needed.out, capacity.out);
        consider(cut.label, "receive", needed.in, capacity.in);
        ranks_seen += static_cast<double>(ranks.size());
        groups += 1;
        all_in += capacity.in;
      }
      mark(cut, 0);
    }
    if (!family.together.empty() && ranks_seen == n_) {
      bound_together(family.together, each ? n_ : groups, all_in);
    }
  }

  // all_reduce without help from switches, over m groups that hold all ranks: to combine m values
  // takes m - 1 messages between groups; only then is the sum known, and the m - 1 other groups
  // each need one more. All of them arrive at a group: 2 (m - 1) x size through all groups' links.
  void bound_together(std::string_view who, double groups, double all_in) {
    if (spec_.kind != CollectiveKind::AllReduce || any_multicast()) return;
    consider(who, "receive", 2 * (groups - 1) * size_, all_in);
  }

  void mark(const Cut& cut, char inside) {
    for (const NodeId id : cut.devices) inside_[id.index()] = inside;
  }

  bool no_nvlink() const {
    const auto links = topology_.links();
    return std::none_of(links.begin(), links.end(),
                        [&](const Link& link) { return is_nvlink_fabric(topology_, link); });
  }

  bool any_multicast() const {
    for (const Device& device : topology_.devices()) {
      if (device.kind == DeviceKind::NvSwitch && device.multicast) return true;
    }
    return false;
  }

  std::vector<std::int32_t> ranks_of(const Cut& cut) const {
    std::vector<std::int32_t> ranks;
    for (const NodeId id : cut.devices) {
      if (rank_[id.index()] >= 0) ranks.push_back(rank_[id.index()]);
    }
    return ranks;
  }

  Capacity capacity_of(const Cut& cut) const {
    Capacity capacity;
    for (const NodeId id : cut.devices) {
      for (const LinkId link_id : topology_.out_links(id)) {
        const Link& link = topology_.link(link_id);
        if (inside_[link.to.index()]) continue;
        if (nvlink_only_ && !is_nvlink_fabric(topology_, link)) continue;
        if (direct_only_ && (rank_[link.from.index()] < 0 || rank_[link.to.index()] < 0)) continue;
        capacity.out += static_cast<double>(link.nominal.bits_per_second);
        capacity.in += static_cast<double>(topology_.link(link.reverse).nominal.bits_per_second);
      }
    }
    return capacity;
  }

  bool is_inside(std::int32_t rank) const {
    return inside_[gpu_of_rank_[static_cast<std::size_t>(rank)].index()] != 0;
  }

  // k of n ranks are inside, 0 < k < n.
  Needed needed_across(const std::vector<std::int32_t>& ranks) const {
    const auto k = static_cast<double>(ranks.size());
    const double in_share = k / n_ * size_;
    const double out_share = (n_ - k) / n_ * size_;
    const bool root_inside = collective_has_root(spec_.kind) && is_inside(spec_.root);
    switch (spec_.kind) {
      case CollectiveKind::AllReduce:
        // Each side's result depends on the other side's sum, which is as long as the vector.
        return {size_, size_};
      case CollectiveKind::AllGather:
        // The outside needs the k shares of the inside and the other way round.
        return {in_share, out_share};
      case CollectiveKind::ReduceScatter:
        // The outside's n-k shares need the inside's partial sums and the other way round.
        return {out_share, in_share};
      case CollectiveKind::AllToAll:
        // k senders, n-k receivers, a block of size/n for each pair.
        return {k * out_share, k * out_share};
      case CollectiveKind::Broadcast:
        return root_inside ? Needed{size_, 0} : Needed{0, size_};
      case CollectiveKind::Reduce:
        return root_inside ? Needed{0, size_} : Needed{size_, 0};
      case CollectiveKind::Scatter:
        return root_inside ? Needed{out_share, 0} : Needed{0, in_share};
      case CollectiveKind::Gather:
        return root_inside ? Needed{0, out_share} : Needed{in_share, 0};
      case CollectiveKind::SendRecv:
        return neighbours_across(ranks);
    }
    fail_check("kind is an enumerator", "unknown collective", __FILE__, __LINE__);
  }

  // Staged in host memory outside the cut, everything a GPU sends or receives crosses it, whoever
  // the peer is: the sum of what each GPU needs alone.
  Needed needed_by_each(const Cut& cut, const std::vector<std::int32_t>& ranks) {
    Needed sum;
    mark(cut, 0);
    for (const std::int32_t rank : ranks) {
      char& inside = inside_[gpu_of_rank_[static_cast<std::size_t>(rank)].index()];
      inside = 1;
      const Needed needed = needed_across({rank});
      inside = 0;
      sum.out += needed.out;
      sum.in += needed.in;
    }
    mark(cut, 1);
    return sum;
  }

  // Every rank sends its vector to the next one: as often as the ranks' circle crosses the cut.
  Needed neighbours_across(const std::vector<std::int32_t>& ranks) const {
    double leaving = 0;
    for (const std::int32_t rank : ranks) {
      if (!is_inside((rank + 1) % spec_.ranks)) leaving += 1;
    }
    // A circle comes in as often as it goes out.
    return {leaving * size_, leaving * size_};
  }

  void consider(std::string_view who, std::string_view verb, double bytes, double rate) {
    if (bytes <= 0 || rate <= 0) return;
    // Rounded down: a bound must not exceed the time by a picosecond.
    const double picoseconds = std::floor(bytes * 8e12 / rate);
    const bool huge = picoseconds >= static_cast<double>(Duration::max().count());
    const Duration time = huge ? Duration::max() : Duration{static_cast<std::int64_t>(picoseconds)};
    if (time <= best_.time) return;
    best_.time = time;
    best_.reason =
        fmt::format("{} must {} {} through {}", who, verb, format_size(Bytes{std::llround(bytes)}),
                    format_bandwidth(Bandwidth{std::llround(rate)}));
  }

  const Topology& topology_;
  const CollectiveSpec& spec_;
  double n_;
  double size_;
  bool direct_only_;  // every two ranks over a link of their own
  bool nvlink_only_;
  bool always_staged_ = false;      // every transfer goes through host memory
  std::vector<std::int32_t> rank_;  // per device
  std::vector<char> inside_;        // per device, of the cut at hand
  std::span<const NodeId> gpu_of_rank_;
  LowerBound best_;
};

}  // namespace

LowerBound lower_bound(const Topology& topology, std::span<const NodeId> gpus,
                       const CollectiveSpec& spec, Bytes size) {
  RINGSPAN_CHECK(gpus.size() == static_cast<std::size_t>(spec.ranks), "one GPU per rank");
  if (spec.ranks == 1) return {Duration::zero(), "one rank: nothing crosses a link"};
  if (size.count == 0) return {Duration::zero(), "no bytes: nothing crosses a link"};
  return Bounds(topology, gpus, spec, size).run();
}

}  // namespace ringspan
