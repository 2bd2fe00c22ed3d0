#include "validation/plan/plan_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/collectives/algorithm.h"
#include "models/collectives/datatype.h"
#include "models/collectives/nccl_version.h"
#include "models/collectives/rank_ranges.h"
#include "models/cost/launch_mode.h"
#include "sim/config/config_node.h"
#include "sim/config/read_input.h"

namespace ringspan {

namespace {

constexpr Bytes kLargestSize{std::int64_t{1} << 62};
constexpr Duration kLongestGap = std::chrono::hours(1);

// Gives an InputError that was thrown without a position that of a key.
template <typename Read>
auto at_key(const ConfigNode& node, std::string_view key, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    node.fail(key, problem.message, problem.hint);
  }
}

int read_count(const ConfigNode& node, std::string_view key, int fallback, int least, int most) {
  return static_cast<int>(node.integer_or(key, fallback, least, most));
}

void require_version(const ConfigNode& root) {
  const std::int64_t version = root.integer("plan", 1, 1'000'000);
  if (version == kPlanVersion) return;
  root.fail("plan", fmt::format("this is a plan of version {}", version),
            fmt::format("this program reads version {}", kPlanVersion));
}

class PlanReader {
 public:
  explicit PlanReader(const ConfigNode& root) : root_(root) {}

  Plan read() {
    require_version(root_);
    read_head();
    const std::vector<ConfigNode> nodes = root_.children("collective");
    if (nodes.empty()) {
      root_.fail("collective", "the plan has no [[collective]]",
                 "one [[collective]] for each, with `collective` and `size`");
    }
    if (nodes.size() > kMostPlanned) {
      root_.fail("collective", fmt::format("{} collectives are too many", nodes.size()),
                 fmt::format("at most {} in a plan", kMostPlanned));
    }
    for (const ConfigNode& node : nodes) read_collective(node);
    return std::move(plan_);
  }

 private:
  void read_head() {
    plan_.system = root_.text_or("system", "");
    plan_.ranks = static_cast<int>(root_.integer("ranks", 1, kMostPlannedRanks));
    const int nodes = read_count(root_, "nodes", 0, 1, plan_.ranks);
    if (root_.has("nodes")) plan_.nodes = nodes;
    plan_.nccl = root_.text_or("nccl", "");
    if (!plan_.nccl.empty()) at_key(root_, "nccl", [&] { return parse_nccl_version(plan_.nccl); });
    plan_.launch = root_.text_or("launch", "");
    if (!plan_.launch.empty()) {
      at_key(root_, "launch", [&] { return launch_mode_from_name(plan_.launch); });
    }
    plan_.repeats = read_count(root_, "repeats", 1, 1, kMostPlannedCalls);
    warmup_ = read_count(root_, "warmup", warmup_, 0, kMostPlannedCalls);
    iterations_ = read_count(root_, "iterations", iterations_, 1, kMostPlannedCalls);
  }

  void read_collective(const ConfigNode& node) {
    PlannedCollective item;
    const std::string kind = node.text("collective");
    item.collective = at_key(node, "collective", [&] { return collective_from_name(kind); });
    item.size = node.bytes("size");
    if (item.size > kLargestSize) {
      node.fail("size", fmt::format("{} bytes are too many", item.size.count),
                "the largest size is 2^62 bytes (4194304T)");
    }
    read_data(node, item);
    read_ranks(node, item);
    read_choices(node, item);
    item.gap = node.find_duration("gap").value_or(Duration{});
    if (item.gap > kLongestGap) node.fail("gap", "more than an hour", "a time up to 3600 s");
    item.warmup = read_count(node, "warmup", warmup_, 0, kMostPlannedCalls);
    item.iterations = read_count(node, "iterations", iterations_, 1, kMostPlannedCalls);
    read_together(node, item);
    plan_.collectives.push_back(std::move(item));
  }

  void read_data(const ConfigNode& node, PlannedCollective& item) {
    item.dtype = node.text_or("dtype", "float");
    at_key(node, "dtype", [&] { return dtype_size(item.dtype); });
    if (!node.has("op")) return;
    item.op = node.choice("op", reduction_names());
    if (!collective_reduces(item.collective)) refuse_key(node, "op", item);
  }

  void read_ranks(const ConfigNode& node, PlannedCollective& item) {
    int count = plan_.ranks;
    if (node.has("ranks")) {
      const std::string text = node.text("ranks");
      item.ranks = at_key(node, "ranks", [&] { return parse_ranks(text); });
      const int last = *std::max_element(item.ranks.begin(), item.ranks.end());
      if (last >= plan_.ranks) {
        node.fail("ranks", fmt::format("rank {} of a plan of {} ranks", last, plan_.ranks),
                  fmt::format("ranks count from 0 to {}", plan_.ranks - 1));
      }
      listed_ += item.ranks.size();
      if (listed_ > kMostListedRanks) {
        node.fail("ranks", "the communicators up to here have too many ranks",
                  fmt::format("at most {} in all; leave `ranks` out for all", kMostListedRanks));
      }
      count = static_cast<int>(item.ranks.size());
    }
    item.root = read_count(node, "root", 0, 0, count - 1);
    if (item.root != 0 && !collective_has_root(item.collective)) refuse_key(node, "root", item);
  }

  static void read_choices(const ConfigNode& node, PlannedCollective& item) {
    if (node.has("algorithm")) {
      const std::string name = node.text("algorithm");
      at_key(node, "algorithm", [&] { return builtin_algorithms().at(name).name; });
      item.algorithm = name;
    }
    if (node.has("protocol")) {
      const std::string name = node.text("protocol");
      item.protocol = at_key(node, "protocol", [&] { return protocol_from_name(name); });
    }
    if (node.has("channels")) item.channels = static_cast<int>(node.integer("channels", 1, 64));
  }

  void read_together(const ConfigNode& node, PlannedCollective& item) {
    item.together = node.boolean_or("together", false);
    if (!item.together) return;
    if (plan_.collectives.empty()) {
      node.fail("together", "there is no collective before the first one", "leave it out");
    }
    const PlannedCollective& before = plan_.collectives.back();
    if (item.iterations != before.iterations || item.warmup != before.warmup) {
      node.fail("together", "collectives at once have the same warmup and iterations",
                "give both the same, at the head of the plan");
    }
  }

  [[noreturn]] static void refuse_key(const ConfigNode& node, std::string_view key,
                                      const PlannedCollective& item) {
    node.fail(key, fmt::format("'{}' has no meaning for {}", key, collective_name(item.collective)),
              "leave it out");
  }

  const ConfigNode& root_;
  Plan plan_;
  std::size_t listed_ = 0;  // ranks of communicators so far
  int warmup_ = 1;
  int iterations_ = 20;
};

}  // namespace

Plan parse_plan(std::string_view text, std::string name) {
  const ConfigDocument document = ConfigDocument::parse_text(text, std::move(name));
  const ConfigNode root = document.root();
  Plan plan = PlanReader(root).read();
  document.finish();
  return plan;
}

Plan read_plan(const std::string& path) {
  if (path == "-") return parse_plan(read_standard_input(), "<standard input>");
  return parse_plan(read_input_file(path), path);
}

}  // namespace ringspan
