#include "app/report/tuner_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/base/input_error.h"
#include "sim/base/quote.h"
#include "sim/base/version.h"

namespace ringspan {

namespace {

// The plugin reads lines of up to 255 bytes; the rest would be a line of its own.
constexpr std::size_t kLongestComment = 200;
constexpr std::uint64_t kLargestSize = std::numeric_limits<std::uint64_t>::max();

std::optional<std::string_view> plugin_collective(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return "allreduce";
    case CollectiveKind::AllGather:
      return "allgather";
    case CollectiveKind::ReduceScatter:
      return "reducescatter";
    case CollectiveKind::Broadcast:
      return "broadcast";
    case CollectiveKind::Reduce:
      return "reduce";
    default:
      return std::nullopt;
  }
}

// Empty: the plugin has no name for it.
std::string_view plugin_algorithm(std::string_view name) {
  if (name == "ring" || name == "tree" || name == "nvls" || name == "pat") return name;
  if (name == "nvlstree") return "nvls_tree";
  if (name == "collnetdirect") return "collnet_direct";
  if (name == "collnetchain") return "collnet_chain";
  return {};
}

struct Pick {
  std::string_view algorithm;  // the plugin's name
  Protocol protocol = Protocol::Simple;
  int channels = 1;

  bool operator==(const Pick&) const = default;
};

struct PickedSize {
  std::int64_t bytes = 0;
  Pick pick;
};

// What NCCL's tuner bars has no entry in its table: the plugin cannot take it.
bool plugin_can_take(const Candidate& candidate) {
  return candidate.bar.empty() && !plugin_algorithm(candidate.algorithm).empty();
}

std::optional<Pick> best_pick(const RunRow& row) {
  const Candidate* best = nullptr;
  for (const Candidate& candidate : row.candidates) {
    if (!plugin_can_take(candidate)) continue;
    const auto rank = [](const Candidate& one) { return std::tuple(one.predicted, !one.picked); };
    if (best == nullptr || rank(candidate) < rank(*best)) best = &candidate;
  }
  if (best == nullptr) return std::nullopt;
  return Pick{plugin_algorithm(best->algorithm), best->protocol, best->channels};
}

// Nothing is chosen for no bytes, and sizes may have been rounded to the same one.
std::vector<PickedSize> picked_sizes(const RunReport& report) {
  std::vector<PickedSize> sizes;
  for (const RunRow& row : report.rows) {
    if (row.bytes == 0 || (!sizes.empty() && sizes.back().bytes == row.bytes)) continue;
    if (const auto pick = best_pick(row)) sizes.push_back({row.bytes, *pick});
  }
  return sizes;
}

// The last size that the lower of two neighbours stands for. Requires lower < upper.
std::uint64_t boundary(std::int64_t lower, std::int64_t upper) {
  const double mean = std::sqrt(static_cast<double>(lower)) * std::sqrt(static_cast<double>(upper));
  return static_cast<std::uint64_t>(std::clamp(static_cast<std::int64_t>(mean), lower, upper - 1));
}

void append_comment(std::string text, std::string& to) {
  if (text.size() > kLongestComment) text = text.substr(0, kLongestComment) + "...";
  fmt::format_to(std::back_inserter(to), "# {}\n", text);
}

void append_head(const RunReport& report, const std::vector<PickedSize>& sizes, std::string& to) {
  append_comment(
      fmt::format("ringspan {}: least predicted time, for NCCL's example tuner plugin", kVersion),
      to);
  append_comment(harmless_text(report.system), to);
  append_comment(
      fmt::format("{}, {}, {} GPUs, sizes {} to {}, profile {}", collective_name(report.collective),
                  report.dtype, report.gpus, sizes.front().bytes, sizes.back().bytes,
                  harmless_text(report.profile)),
      to);
  append_comment(
      "collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,"
      "regBuff",
      to);
}

}  // namespace

void require_tuner_collective(CollectiveKind kind) {
  if (plugin_collective(kind)) return;
  throw InputError(
      fmt::format("--emit-tuner: NCCL's tuner chooses nothing for {}", collective_name(kind)),
      "give it with all_reduce, all_gather, reduce_scatter, broadcast or reduce");
}

std::string tuner_config_text(const RunReport& report) {
  require_tuner_collective(report.collective);
  const std::vector<PickedSize> sizes = picked_sizes(report);
  if (sizes.empty()) {
    throw InputError("--emit-tuner: NCCL's tuner has nothing to choose in this run",
                     "it needs two ranks, a size above 0 and an algorithm of NCCL's tuner");
  }
  std::string text;
  append_head(report, sizes, text);
  std::uint64_t least = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Pick& pick = sizes[i].pick;
    const bool last = i + 1 == sizes.size();
    if (!last && sizes[i + 1].pick == pick) continue;
    const std::uint64_t most = last ? kLargestSize : boundary(sizes[i].bytes, sizes[i + 1].bytes);
    // -1: any number of operations in a group, buffers registered or not.
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},-1,-1\n",
                   *plugin_collective(report.collective), least, most, pick.algorithm,
                   protocol_name(pick.protocol), pick.channels, report.domains, report.gpus);
    least = most + 1;
  }
  return text;
}

}  // namespace ringspan
