#include "models/workloads/link_sums.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ringspan {

namespace {

bool multicasts(const LoadPart& part) { return part.input.algorithm->needs_multicast(); }

}  // namespace

LinkSums::LinkSums(std::span<const LoadPart> parts) {
  const PlanInput& input = parts.front().input;
  paths = std::make_unique<ClusterPaths>(*input.cluster, *input.profile, input.transport);
}

void LinkSums::finish(std::span<const LoadPart> parts) {
  paths->finish();
  // What is left of the NVLink rate when the switches reduce and multicast.
  const double nvls_share = parts.front().input.profile->nvls_efficiency;
  const bool all = std::all_of(parts.begin(), parts.end(), multicasts);
  const bool any = std::any_of(parts.begin(), parts.end(), multicasts);
  const std::vector<Bandwidth> rates = paths->rates(all ? nvls_share : 1);
  kind_of_.reserve(rates.size());
  std::unordered_map<std::int64_t, std::uint32_t> known;
  for (const Bandwidth rate : rates) {
    if (kind_of_.empty() || rates_.at(kind_of_.back()) != rate) {
      const auto [kind, added] = known.emplace(rate.bits_per_second, rates_.size());
      if (added) {
        rates_.push_back(rate);
        picoseconds_per_byte_.push_back(1 / to_bytes_per_picosecond(rate));
      }
      kind_of_.push_back(kind->second);
    } else {
      kind_of_.push_back(kind_of_.back());
    }
  }
  if (any && !all) {
    const std::vector<Bandwidth> lessened = paths->rates(nvls_share);
    for (std::size_t r = 0; r < rates.size(); ++r) {
      multicast_load.push_back(lessened[r] == rates[r] ? 1 : 1 / nvls_share);
    }
  }
  round = whole = LoadSums(rates.size());
  links.emplace(kind_of_);
}

std::vector<StreamLoads::Links> LinkSums::collect(std::span<StreamLoads> loads) {
  std::vector<std::pair<StreamLoads*, std::size_t>> classes;  // by flow
  for (StreamLoads& part : loads) {
    for (std::size_t c = 0; c < part.classes.size(); ++c) classes.emplace_back(&part, c);
  }
  std::vector<StreamLoads::Links> alike_links;
  for (const LoadPartition::Alike& alike : links->finish()) {
    const auto link = static_cast<std::uint32_t>(alike_links.size());
    alike_links.push_back({alike.first, alike.count, rates_[alike.kind]});
    for (const LoadPartition::Row& row : alike.rows) {
      const auto& [part, c] = classes[row.flow];
      part->classes[c].rows.push_back({link, row.load});
    }
  }
  return alike_links;
}

}  // namespace ringspan
