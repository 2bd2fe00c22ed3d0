#include "app/scenario/job_details.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/workloads/load_report.h"

namespace ringspan {

namespace {

// The part of `other`'s time that lies within the job's.
double overlap(const JobRow& other, const JobRow& job) {
  const Duration common = std::min(other.end, job.end) - std::max(other.start, job.start);
  const Duration whole = other.end - other.start;
  if (common <= Duration{} || whole <= Duration{}) return 0;
  return to_seconds(common) / to_seconds(whole);
}

class JobDetails {
 public:
  JobDetails(const SharedLoads& shared, std::span<const StreamLoads* const> loads,
             std::span<const SizeCut> cuts, std::span<JobRow> rows)
      : shared_(shared), loads_(loads), cuts_(cuts), rows_(rows) {
    for (std::size_t j = 0; j < rows.size(); ++j) sum(j);
  }

  void describe(std::size_t j) const {
    if (loads_[j] == nullptr) {
      rows_[j].row.bottleneck = "latency";
      return;
    }
    std::vector<Entry> entries;
    add_links(j, entries);
    add_kernels(j, entries);
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.load.utilisation > b.load.utilisation;
    });
    for (const Entry& entry : entries) rows_[j].row.loads.push_back(entry.load);
    name_bottleneck(j, entries);
  }

 private:
  struct OnLink {
    std::uint32_t job = 0;
    LinkLoad load;
  };
  struct Entry {
    ResourceLoad load;
    std::uint32_t link = kNone;  // kNone: kernels
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void sum(std::size_t j) {
    on_link_.resize(shared_.links.size());
    if (loads_[j] == nullptr) return;
    const std::vector<LinkLoad> bytes = link_bytes(*loads_[j], cuts_[j], shared_.links.size());
    for (std::size_t l = 0; l < bytes.size(); ++l) {
      if (bytes[l].load > 0) on_link_[l].push_back({static_cast<std::uint32_t>(j), bytes[l]});
    }
  }

  void add_links(std::size_t j, std::vector<Entry>& entries) const {
    for (std::uint32_t l = 0; l < on_link_.size(); ++l) {
      const OnLink* own = nullptr;
      double load = 0;  // of all, while the job is under way
      for (const OnLink& entry : on_link_[l]) {
        if (entry.job == j) own = &entry;
        load += entry.load.load * overlap(rows_[entry.job], rows_[j]);
      }
      if (own == nullptr) continue;
      const StreamLoads::Links& links = shared_.links[l];
      FabricResource resource = shared_.paths->describe(links.first);
      resource.rate = links.rate;
      if (links.count > 1) resource.name += fmt::format(" (and {} alike)", links.count - 1);
      entries.push_back(entry_of(resource, own->load, load, l, j));
    }
  }

  void add_kernels(std::size_t j, std::vector<Entry>& entries) const {
    for (const ResourceBytes& entry : kernel_bytes(*loads_[j], cuts_[j])) {
      entries.push_back(entry_of(entry.resource, {entry.load, entry.bytes}, entry.load, kNone, j));
    }
  }

  Entry entry_of(const FabricResource& resource, const LinkLoad& own, double all_load,
                 std::uint32_t link, std::size_t j) const {
    const double seconds = to_seconds(rows_[j].end - rows_[j].start);
    const double rate = static_cast<double>(resource.rate.bits_per_second) / 8;
    return {{resource.name, resource.link_class, own.bytes, rate * own.bytes / own.load,
             seconds > 0 ? all_load / (rate * seconds) : 0},
            link};
  }

  // As describe_loads(): below half of the busiest resource's rate it is "latency".
  void name_bottleneck(std::size_t j, const std::vector<Entry>& entries) const {
    JobRow& row = rows_[j];
    row.row.bottleneck = "latency";
    if (entries.empty()) return;
    constexpr double kBandwidthBound = 0.5;
    const Entry& busiest = entries.front();
    row.row.bottleneck_utilisation = busiest.load.utilisation;
    if (busiest.load.utilisation < kBandwidthBound) return;
    row.row.bottleneck = busiest.load.name;
    if (busiest.link == kNone) return;
    for (const OnLink& entry : on_link_[busiest.link]) {
      if (entry.job != j && overlap(rows_[entry.job], row) > 0) row.beside.push_back(entry.job);
    }
  }

  const SharedLoads& shared_;
  std::span<const StreamLoads* const> loads_;
  std::span<const SizeCut> cuts_;
  std::span<JobRow> rows_;
  std::vector<std::vector<OnLink>> on_link_;  // by link class: the jobs that load it
};

}  // namespace

void describe_jobs(const SharedLoads& shared, std::span<const StreamLoads* const> loads,
                   std::span<const SizeCut> cuts, std::span<JobRow> rows) {
  const JobDetails details(shared, loads, cuts, rows);
  for (std::size_t j = 0; j < rows.size(); ++j) details.describe(j);
}

}  // namespace ringspan
