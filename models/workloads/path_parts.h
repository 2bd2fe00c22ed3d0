#pragma once

// Paths of transfers put together from parts: one after the other, or as the average over channels.

#include <cstdint>

#include "models/workloads/fabric_paths.h"
#include "topologies/fabrics/fabric.h"

namespace ringspan {

// As a new path; keeps the memory.
void clear(FabricPath& path);

// The stage after the last one.
inline std::uint32_t next_stage(const FabricPath& path) {
  return path.uses.empty() ? 0 : path.uses.back().stage + 1;
}

// Adds what follows the path: a part inside a domain, or a route through the fabric. Resources of
// the part are numbered from `first`.
void append(FabricPath& path, const FabricPath& part, std::uint32_t first);
void append(FabricPath& path, const FabricRoute& route, std::uint32_t first);

// Adds the weights of `more` to those of `path`; latency: the longer one.
void merge_into(FabricPath& path, const FabricPath& more);

// By stages; in the same order within one.
void sort_by_stage(FabricPath& path);

}  // namespace ringspan
