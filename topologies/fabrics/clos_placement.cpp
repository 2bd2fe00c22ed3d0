#include "topologies/fabrics/clos_placement.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan {

namespace {

std::size_t pod_of(const FabricInput& input, const FabricPort& port) {
  return input.pod_of_domain.empty()
             ? 0
             : static_cast<std::size_t>(input.pod_of_domain[static_cast<std::size_t>(port.domain)]);
}

void append_block(ClosShape& shape, std::int64_t leaves) {
  const auto block = static_cast<std::uint32_t>(shape.first_leaf.size()) - 1;
  shape.block_of_leaf.insert(shape.block_of_leaf.end(), static_cast<std::size_t>(leaves), block);
  shape.first_leaf.push_back(static_cast<std::uint32_t>(shape.block_of_leaf.size()));
}

// Two tiers: one block, or one per rail. Three: pod by pod, and a single pod in equal parts.
void make_blocks(const ServerPods& pods, std::int64_t servers_per_leaf, ClosShape& shape) {
  const std::int64_t groups = pods.groups(servers_per_leaf);
  shape.first_leaf = {0};
  if (shape.blocks_are_rails) {
    for (std::int64_t rail = 0; rail < pods.rails; ++rail) append_block(shape, groups);
  } else if (shape.tiers < 3) {
    append_block(shape, groups * shape.leaves_per_group);
  } else if (pods.count() > 1) {
    for (std::int64_t pod = 0; pod < pods.count(); ++pod) {
      append_block(shape, pods.groups_of(pod, servers_per_leaf) * shape.leaves_per_group);
    }
  } else {
    const std::int64_t leaves = groups * shape.leaves_per_group;
    for (std::int64_t first = 0; first < leaves; first += shape.leaves_per_block) {
      append_block(shape, std::min<std::int64_t>(shape.leaves_per_block, leaves - first));
    }
  }
  shape.leaves = static_cast<std::uint32_t>(shape.block_of_leaf.size());
}

}  // namespace

std::int64_t ServerPods::groups(std::int64_t servers_per_leaf) const {
  std::int64_t sum = 0;
  for (std::int64_t pod = 0; pod < count(); ++pod) sum += groups_of(pod, servers_per_leaf);
  return sum;
}

std::int64_t ServerPods::most_groups_of_a_pod(std::int64_t servers_per_leaf) const {
  std::int64_t most = 0;
  for (std::int64_t pod = 0; pod < count(); ++pod) {
    most = std::max(most, groups_of(pod, servers_per_leaf));
  }
  return most;
}

ServerPods count_servers(const FabricInput& input) {
  ServerPods pods;
  pods.first_server = {0};
  std::int64_t last = -1;
  for (const FabricPort& port : input.ports) {
    RINGSPAN_CHECK(port.server >= last, "ports come in order of servers");
    RINGSPAN_CHECK(pod_of(input, port) + 1 >= pods.first_server.size(),
                   "pods come in order of domains");
    while (pod_of(input, port) + 1 > pods.first_server.size()) {
      pods.first_server.push_back(port.server);
    }
    last = port.server;
    pods.rails = std::max<std::int64_t>(pods.rails, port.rail + 1);
  }
  pods.first_server.push_back(last + 1);
  return pods;
}

void place_ports(const FabricInput& input, const ServerPods& pods, std::int64_t servers_per_leaf,
                 ClosShape& shape) {
  make_blocks(pods, servers_per_leaf, shape);
  const std::int64_t groups = pods.groups(servers_per_leaf);
  std::vector<std::int64_t> first_group;
  std::int64_t sum = 0;
  for (std::int64_t pod = 0; pod < pods.count(); ++pod) {
    first_group.push_back(sum);
    sum += pods.groups_of(pod, servers_per_leaf);
  }
  std::vector<std::uint32_t> placed(shape.leaves, 0);
  shape.leaf_of_port.reserve(input.ports.size());
  shape.number_of_port.reserve(input.ports.size());
  for (const FabricPort& port : input.ports) {
    const std::size_t pod = pods.count() == 1 ? 0 : pod_of(input, port);
    const std::int64_t group =
        first_group[pod] + (port.server - pods.first_server[pod]) / servers_per_leaf;
    const std::int64_t rail = shape.leaves_per_group > 1 || shape.blocks_are_rails ? port.rail : 0;
    const auto leaf = static_cast<std::uint32_t>(
        shape.blocks_are_rails ? rail * groups + group : group * shape.leaves_per_group + rail);
    shape.leaf_of_port.push_back(leaf);
    shape.number_of_port.push_back(leaf * shape.ports_per_leaf + placed[leaf]++);
  }
}

}  // namespace ringspan
