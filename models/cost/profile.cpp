#include "models/cost/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/collectives/algorithm.h"
#include "sim/base/check.h"
#include "sim/base/quote.h"

namespace ringspan {

namespace {

// Serves the algorithms that a profile does not name.
constexpr std::string_view kDefault = "default";

// A table like { ll = "0.6 us", ll128 = "1.9 us", simple = "3.4 us" }; a protocol left out costs
// what Simple costs.
PerProtocol read_per_protocol(const ConfigNode& node, std::string_view key) {
  const ConfigNode table = node.child(key);
  PerProtocol durations;
  durations.fill(table.duration(protocol_name(Protocol::Simple)));
  for (const Protocol protocol : kAllProtocols) {
    const std::string_view name = protocol_name(protocol);
    if (const auto duration = table.find_duration(name)) {
      durations[static_cast<std::size_t>(protocol)] = *duration;
    }
  }
  return durations;
}

AlgorithmCost read_algorithm(const ConfigNode& node, const std::vector<std::string>& names,
                             Profile& profile) {
  AlgorithmCost cost;
  cost.algorithm = node.choice("name", names);
  profile.sources["algorithm." + cost.algorithm] = node.text("source");
  cost.base = read_per_protocol(node, "base");
  cost.nvlink_step = read_per_protocol(node, "nvlink_step");
  cost.pcie_step = read_per_protocol(node, "pcie_step");
  cost.network_step = read_per_protocol(node, "network_step");
  return cost;
}

void read_algorithms(const ConfigNode& root, Profile& profile) {
  std::vector<std::string> names = builtin_algorithms().names();
  names.emplace_back(kDefault);
  std::vector<AlgorithmCost>& costs = profile.algorithms;
  for (const ConfigNode& node : root.children("algorithm")) {
    AlgorithmCost cost = read_algorithm(node, names, profile);
    const auto same = [&](const AlgorithmCost& other) { return other.algorithm == cost.algorithm; };
    if (std::any_of(costs.begin(), costs.end(), same)) {
      node.fail("name", fmt::format("{} has costs already", quote_text(cost.algorithm)),
                "give each algorithm one [[algorithm]] table");
    }
    costs.push_back(std::move(cost));
  }
  const auto serves_all = [](const AlgorithmCost& cost) { return cost.algorithm == kDefault; };
  if (std::none_of(costs.begin(), costs.end(), serves_all)) {
    root.fail("algorithm", "no [[algorithm]] is named 'default'",
              "add one: it serves the algorithms without a table of their own");
  }
}

// In (0, 1]; `absent` where the key is.
double share_or(const ConfigNode& node, std::string_view key, double absent) {
  const double share = node.number_or(key, absent, 0, 1);
  if (share <= 0) {
    node.fail(key, fmt::format("{} must be above zero", quote_text(key)),
              "write a share of at most 1");
  }
  return share;
}

void read_link_share(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("link_share");
  if (!table) return;
  profile.sources["link_share"] = table->text("source");
  for (const LinkClass link_class : kAllLinkClasses) {
    double& share = profile.link_share[static_cast<std::size_t>(link_class)];
    share = share_or(*table, link_class_name(link_class), share);
  }
  const std::optional<ConfigNode> presets = table->find_child("preset");
  if (!presets) return;
  for (const std::string& preset : presets->keys()) {
    profile.preset_share.push_back({preset, share_or(*presets, preset, 1)});
  }
}

void read_reference_wire(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("reference_wire");
  if (!table) return;
  profile.sources["reference_wire"] = table->text("source");
  for (const LinkClass link_class : kAllLinkClasses) {
    if (const auto wire = table->find_duration(link_class_name(link_class))) {
      profile.reference_wire[static_cast<std::size_t>(link_class)] = *wire;
    }
  }
}

void read_kernel_rate(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("kernel_rate");
  if (!table) return;
  profile.sources["kernel_rate"] = table->text("source");
  profile.ll_rate_per_gpu = table->find_bandwidth("ll_per_gpu");
  profile.ll_rate_per_channel = table->find_bandwidth("ll_per_channel");
  profile.ll128_rate_per_gpu = table->find_bandwidth("ll128_per_gpu");
  profile.ll128_ring_rate_per_channel = table->find_bandwidth("ll128_ring_per_channel");
  profile.ll128_tree_rate_per_channel = table->find_bandwidth("ll128_tree_per_channel");
  profile.simple_tree_rate_per_channel = table->find_bandwidth("simple_tree_per_channel");
  for (const Protocol protocol : kAllProtocols) {
    profile.copy_rate_per_channel[static_cast<std::size_t>(protocol)] =
        table->find_bandwidth(fmt::format("{}_copy_per_channel", protocol_name(protocol)));
  }
}

void read_launch(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("launch");
  if (!table) return;
  profile.sources["launch"] = table->text("source");
  profile.launch.call = table->duration("call");
  profile.launch.per_gpu = table->find_duration("per_gpu").value_or(Duration{});
  profile.launch.per_further_peer = table->find_duration("per_further_peer").value_or(Duration{});
}

void read_threads(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("threads");
  if (!table) return;
  profile.sources["threads"] = table->text("source");
  profile.threads.first_lines_in_step = true;
  profile.threads.step = read_per_protocol(*table, "step");
  profile.threads.once = read_per_protocol(*table, "once");
}

void read_p2p(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("p2p");
  if (!table) return;
  profile.sources["p2p"] = table->text("source");
  profile.p2p.per_peer = table->find_duration("per_peer").value_or(Duration{});
  profile.p2p.ll_per_channel = table->find_bandwidth("ll_per_channel");
  profile.p2p.simple_per_channel = table->find_bandwidth("simple_per_channel");
  profile.p2p.simple_per_gpu = table->find_bandwidth("simple_per_gpu");
  profile.p2p.simple_copy_per_channel = table->find_bandwidth("simple_copy_per_channel");
}

// NCCL's upper limit on channels (MAXCHANNELS).
constexpr int kMostChannels = 64;

void read_nvls(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("nvls");
  if (!table) return;
  profile.sources["nvls"] = table->text("source");
  table->number("efficiency", 0, 1);  // required
  profile.nvls_efficiency = share_or(*table, "efficiency", 1);
  profile.nvls_channels = static_cast<int>(table->integer("channels", 1, kMostChannels));
  profile.nvls_slice = table->find_duration("slice").value_or(Duration{});
  profile.nvls_channels_over_nodes = static_cast<int>(
      table->integer_or("channels_over_nodes", profile.nvls_channels, 1, kMostChannels));
}

void read_staging(const ConfigNode& root, Profile& profile) {
  const std::optional<ConfigNode> table = root.find_child("staging");
  if (!table) return;
  profile.sources["staging"] = table->text("source");
  table->number("efficiency", 0, 1);  // required
  profile.staging_efficiency = share_or(*table, "efficiency", 1);
}

}  // namespace

const AlgorithmCost& Profile::cost_of(std::string_view algorithm) const {
  const AlgorithmCost* serves_all = nullptr;
  for (const AlgorithmCost& cost : algorithms) {
    if (cost.algorithm == algorithm) return cost;
    if (cost.algorithm == kDefault) serves_all = &cost;
  }
  RINGSPAN_CHECK(serves_all != nullptr, "a profile has default costs");
  return *serves_all;
}

double Profile::share_of(LinkClass link_class, std::string_view preset) const {
  for (const PresetShare& named : preset_share) {
    if (named.preset == preset) return named.share;
  }
  return link_share[static_cast<std::size_t>(link_class)];
}

Profile read_profile(ConfigDocument& document) {
  const ConfigNode root = document.root();
  Profile profile;
  profile.name = root.text("name");
  profile.description = root.text("description");
  profile.nccl = root.text("nccl");
  profile.source = root.text("source");
  profile.least_compute_capability = static_cast<int>(root.integer("compute_capability", 0, 1000));
  read_launch(root, profile);
  read_threads(root, profile);
  profile.by_name = root.boolean_or("by_name", false);
  profile.without_nvlink = root.boolean_or("without_nvlink", false);
  read_algorithms(root, profile);
  read_link_share(root, profile);
  read_reference_wire(root, profile);
  read_kernel_rate(root, profile);
  read_p2p(root, profile);
  read_nvls(root, profile);
  read_staging(root, profile);
  if (root.has("fitted")) profile.fit = read_fit_record(root);
  document.finish();
  return profile;
}

std::vector<Profile> builtin_profiles() {
  std::vector<Profile> profiles;
  for (const EmbeddedFile& file : builtin_profile_files()) {
    ConfigDocument document =
        ConfigDocument::parse_text(file.text, fmt::format("<profiles>/{}.toml", file.name));
    profiles.push_back(read_profile(document));
  }
  return profiles;
}

const Profile& profile_for(const std::vector<Profile>& profiles, int compute_capability,
                           bool nvlink) {
  const Profile* best = nullptr;
  for (const Profile& profile : profiles) {
    if (profile.least_compute_capability > compute_capability) continue;
    if (profile.by_name || (profile.without_nvlink && nvlink)) continue;
    const auto rank = [](const Profile& of) {
      return std::pair(of.without_nvlink, of.least_compute_capability);
    };
    if (best == nullptr || rank(profile) > rank(*best)) best = &profile;
  }
  RINGSPAN_CHECK(best != nullptr, "a profile serves every compute capability from 0");
  return *best;
}

}  // namespace ringspan
