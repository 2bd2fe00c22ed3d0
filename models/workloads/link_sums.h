#pragma once

// The links of a cluster while loads are summed: what the collectives of one SharedLoads have in
// common. Internal to SharedLoads::build().

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/workloads/cluster_paths.h"
#include "models/workloads/load_partition.h"
#include "models/workloads/load_sums.h"
#include "models/workloads/shared_loads.h"

namespace ringspan {

struct LinkSums {
  explicit LinkSums(std::span<const LoadPart> parts);

  // After the last ClusterPaths::declare().
  void finish(std::span<const LoadPart> parts);
  // After the last flow: the links that are alike, and their rows in the classes of `loads`.
  std::vector<StreamLoads::Links> collect(std::span<StreamLoads> loads);

  std::unique_ptr<ClusterPaths> paths;
  // What a load on a resource takes, in ps per byte of a block.
  double slowness(std::uint32_t resource, double load) const {
    return load * picoseconds_per_byte_[kind_of_[resource]];
  }
  // By resource: what a byte takes of it where switches multicast but for others it is a plain
  // NVLink. Empty: 1, or the rates say it already.
  std::vector<double> multicast_load;
  LoadSums round, whole;          // by resource, of the class at work
  std::vector<double> all_rings;  // by resource: load of all rings of a part; empty: none yet
  // Flows are channel classes, part by part.
  std::optional<LoadPartition> links;
  std::uint32_t flows = 0;  // summed so far

 private:
  std::vector<std::uint32_t> kind_of_;        // by resource: the kind of link
  std::vector<Bandwidth> rates_;              // by kind of link
  std::vector<double> picoseconds_per_byte_;  // the same
};

}  // namespace ringspan
