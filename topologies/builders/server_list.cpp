#include "topologies/builders/server_list.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "topologies/builders/config_reading.h"
#include "topologies/builders/limits.h"

namespace ringspan {

namespace {

std::int64_t read_count(const ConfigNode& table, std::int64_t so_far) {
  const std::int64_t count = table.integer("count", 1, std::numeric_limits<std::int64_t>::max());
  if (count > kMaxServers - so_far) {
    table.fail("count", fmt::format("{} servers are too many", count),
               so_far == 0 ? fmt::format("at most {}", kMaxServers)
                           : fmt::format("at most {} in all; {} stand above", kMaxServers, so_far));
  }
  return count;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// The pods that do not say `use` share the server of [node].
class PodReader {
 public:
  PodReader(const UseChain& chain, const ServerContext& context, const SystemFinder& find,
            PodChains& chains, SystemInfo& info)
      : chain_(chain), context_(context), find_(find), chains_(chains), info_(info) {}

  ServerList read(const std::vector<ConfigNode>& pods) {
    list_.has_pods = true;
    list_.file_servers = 0;
    if (!chain_.nodes().empty()) add_type(chain_);
    for (const ConfigNode& table : pods) read_pod(table);
    return std::move(list_);
  }

 private:
  void add_type(const UseChain& chain) {
    list_.types.push_back(read_server(chain, context_, info_.notes));
  }

  void read_pod(const ConfigNode& table) {
    Pod pod;
    pod.name = table.text_or("name", {});
    pod.servers = read_count(table, list_.file_servers);
    list_.file_servers += pod.servers;
    if (given(table, "use")) {
      chains_.push_back(std::make_unique<UseChain>(table, find_));
      skip_sections(*chains_.back());
      append(info_.sources, chains_.back()->sources());
      pod.type = list_.types.size();
      add_type(*chains_.back());
    } else if (chain_.nodes().empty()) {
      table.fail("use", "the pod has no server: it uses none, and the file has no [node]",
                 "add use = \"NAME\" to the pod, or a [node]");
    }
    list_.pods.push_back(std::move(pod));
  }

  const UseChain& chain_;
  const ServerContext& context_;
  const SystemFinder& find_;
  PodChains& chains_;
  SystemInfo& info_;
  ServerList list_;
};

std::int64_t capacity(const ServerList& list) {
  std::int64_t gpus = 0;
  for (const Pod& pod : list.pods) gpus += pod.servers * gpu_count(list.types[pod.type]);
  return gpus;
}

void leave_out(ServerList& list, std::int64_t servers) {
  std::int64_t left = servers;
  for (Pod& pod : list.pods) {
    pod.servers = std::min(pod.servers, left);
    left -= pod.servers;
  }
  list.pods.erase(std::remove_if(list.pods.begin(), list.pods.end(),
                                 [](const Pod& pod) { return pod.servers == 0; }),
                  list.pods.end());
}

void grow(ServerList& list, std::int64_t servers) {
  if (list.has_pods) {
    throw InputError(list.asked_at,
                     fmt::format("{} servers: the [[pod]]s have {}", servers, list.servers()),
                     "raise the count of a [[pod]], or add one");
  }
  if (servers > kMaxServers) {
    const std::int64_t each = gpu_count(list.types.front());
    throw InputError(
        list.asked_at, fmt::format("{} servers are too many", servers),
        fmt::format("at most {} servers, {} GPUs here", kMaxServers, kMaxServers * each));
  }
  list.pods.front().servers = servers;
}

}  // namespace

std::int64_t ServerList::servers() const {
  std::int64_t sum = 0;
  for (const Pod& pod : pods) sum += pod.servers;
  return sum;
}

ServerList read_servers(const UseChain& chain, const SystemSections& sections,
                        const ServerContext& context, const SystemFinder& find,
                        std::int64_t servers_by_default, PodChains& chains, SystemInfo& info) {
  append(info.sources, chain.sources());
  if (!sections.pods.empty()) {
    return PodReader(chain, context, find, chains, info).read(sections.pods);
  }
  ServerList list;
  list.file_servers = sections.counted ? read_count(*sections.counted, 0) : servers_by_default;
  list.types.push_back(read_server(chain, context, info.notes));
  list.pods.push_back({{}, 0, list.file_servers});
  return list;
}

void resize_servers(ServerList& list, const SystemSize& size) {
  list.asked_at = size.asked_at;
  std::int64_t servers = list.servers();
  if (size.servers) {
    servers = *size.servers;
  } else if (size.gpus && *size.gpus > capacity(list)) {
    const std::int64_t gpus = *size.gpus;
    const std::int64_t each = gpu_count(list.types[list.pods.back().type]);
    servers += (gpus - capacity(list) + each - 1) / each;
  }
  if (servers < list.servers()) leave_out(list, servers);
  if (servers > list.servers()) grow(list, servers);
}

bool replace_dead_gpus(ServerList& list, const SystemSize& size, std::int64_t alive) {
  if (size.servers || !size.gpus || *size.gpus <= alive || list.has_pods) return false;
  const std::int64_t each = gpu_count(list.types.front());
  grow(list, list.servers() + (*size.gpus - alive + each - 1) / each);
  return true;
}

}  // namespace ringspan
