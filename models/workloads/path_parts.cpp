#include "models/workloads/path_parts.h"

#include <algorithm>

namespace ringspan {

namespace {

// One class of link costs protocols most; LinkClass lists them from cheap to costly.
void take_slower(FabricPath& path, LinkClass link_class) {
  path.slowest_class = std::max(path.slowest_class, link_class);
}

}  // namespace

void clear(FabricPath& path) {
  path.uses.clear();
  path.slowest_class = LinkClass::NvLink;
  path.latency = {};
  path.staged = false;
}

void append(FabricPath& path, const FabricPath& part, std::uint32_t first) {
  const std::uint32_t stage = next_stage(path);
  for (const ResourceUse& use : part.uses) {
    path.uses.push_back({first + use.resource, stage + use.stage, use.weight, use.staged});
  }
  path.latency += part.latency;
  path.staged = path.staged || part.staged;
  take_slower(path, part.slowest_class);
}

void append(FabricPath& path, const FabricRoute& route, std::uint32_t first) {
  const std::uint32_t stage = next_stage(path);
  for (const FabricUse& use : route.uses) {
    path.uses.push_back({first + use.link, stage + use.stage, use.share, 0});
  }
  path.latency += route.latency;
  take_slower(path, LinkClass::Network);
}

void merge_into(FabricPath& path, const FabricPath& more) {
  for (const ResourceUse& use : more.uses) {
    const auto known =
        std::find_if(path.uses.begin(), path.uses.end(), [&](const ResourceUse& existing) {
          return existing.resource == use.resource && existing.stage == use.stage;
        });
    if (known != path.uses.end()) {
      known->weight += use.weight;
      known->staged += use.staged;
    } else {
      path.uses.push_back(use);
    }
  }
  sort_by_stage(path);
  path.latency = std::max(path.latency, more.latency);
  path.staged = path.staged || more.staged;
  take_slower(path, more.slowest_class);
}

void sort_by_stage(FabricPath& path) {
  std::stable_sort(path.uses.begin(), path.uses.end(),
                   [](const ResourceUse& a, const ResourceUse& b) { return a.stage < b.stage; });
}

}  // namespace ringspan
