#include "models/workloads/load_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/workloads/protocol_cost.h"

namespace ringspan {

namespace {

class LoadReport {
 public:
  LoadReport(const StreamLoads& loads, const SizeCut& cut)
      : loads_(loads),
        block_(static_cast<double>(wire_bytes(cut.protocol, Bytes{cut.block_payload}).count)),
        cost_(*loads.input.profile, loads.outline->algorithm, cut.protocol),
        protocol_(cut.protocol) {}

  std::vector<ResourceBytes> make() {
    sums_ = link_sums(loads_.links.size());
    std::size_t loaded = loads_.ranks_of.size();
    for (const StreamLoads::Links& links : loads_.links) loaded += links.count;
    if (loaded <= kMostNamedResources) {
      name_each();
    } else {
      name_classes();
    }
    return std::move(report_);
  }

  std::vector<ResourceBytes> make_kernels() {
    name_kernel_classes();
    return std::move(report_);
  }

  // By class of links.
  std::vector<LinkLoad> link_sums(std::size_t links) const {
    std::vector<LinkLoad> sums(links);
    for (const ClassLoads& loads : loads_.classes) {
      for (const ClassLoads::Row& row : loads.rows) {
        sums[row.link].load += loads.steps * row.load.load * block_;
        sums[row.link].bytes += loads.steps * row.load.bytes * block_;
      }
    }
    return sums;
  }

 private:
  void name_each() {
    for (std::uint32_t r = 0; r < loads_.links_of.size(); ++r) {
      if (loads_.links_of[r] != LoadPartition::kUnloaded) add_link(loads_.links_of[r], r, 1);
    }
    for (std::size_t c = 0; c < loads_.classes.size(); ++c) {
      for (std::size_t rank = 0; rank < loads_.ranks_of.size(); ++rank) {
        if (loads_.ranks_of[rank] == LoadPartition::kUnloaded) continue;
        add_kernels(loads_.ranks[loads_.ranks_of[rank]], c, static_cast<std::int32_t>(rank), 1);
      }
    }
  }

  void name_classes() {
    for (std::uint32_t l = 0; l < loads_.links.size(); ++l) {
      add_link(l, loads_.links[l].first, loads_.links[l].count);
    }
    name_kernel_classes();
  }

  void name_kernel_classes() {
    for (std::size_t c = 0; c < loads_.classes.size(); ++c) {
      for (const StreamLoads::Ranks& ranks : loads_.ranks) {
        add_kernels(ranks, c, ranks.first, ranks.count);
      }
    }
  }

  void add_link(std::uint32_t link, std::uint32_t resource, std::uint32_t count) {
    FabricResource description = loads_.paths->describe(resource);
    description.rate = loads_.links[link].rate;
    add(std::move(description), count, sums_[link]);
  }

  void add_kernels(const StreamLoads::Ranks& ranks, std::size_t class_index, std::int32_t rank,
                   std::uint32_t count) {
    const int channels = loads_.outline->classes[class_index].count;
    const auto limit = cost_.kernel_limit(channels, loads_.outline->copying_channels());
    if (!limit) return;
    for (const LoadPartition::Row& row : ranks.sent) {
      if (row.flow != class_index) continue;
      const double bytes = loads_.classes[class_index].steps * row.load.bytes * block_;
      add({fmt::format("rank {}: {} channel{} copying with {}", rank, channels,
                       channels == 1 ? "" : "s", protocol_name(protocol_)),
           std::string(kKernelLimit), *limit},
          count, {bytes, bytes});
    }
  }

  void add(FabricResource resource, std::uint32_t count, const LinkLoad& sum) {
    if (count > 1) resource.name += fmt::format(" (and {} alike)", count - 1);
    report_.push_back({std::move(resource), count, sum.bytes, sum.load});
  }

  const StreamLoads& loads_;
  double block_;  // wire bytes of a block on one channel
  ProtocolCost cost_;
  Protocol protocol_;
  std::vector<LinkLoad> sums_;
  std::vector<ResourceBytes> report_;
};

}  // namespace

std::vector<ResourceBytes> resource_bytes(const StreamLoads& loads, const SizeCut& cut) {
  return LoadReport(loads, cut).make();
}

std::vector<LinkLoad> link_bytes(const StreamLoads& loads, const SizeCut& cut, std::size_t links) {
  return LoadReport(loads, cut).link_sums(links);
}

std::vector<ResourceBytes> kernel_bytes(const StreamLoads& loads, const SizeCut& cut) {
  return LoadReport(loads, cut).make_kernels();
}

std::int64_t busiest_rank_bytes(const StreamLoads& loads, const SizeCut& cut) {
  return loads.most_blocks_sent * cut.block_payload;
}

}  // namespace ringspan
