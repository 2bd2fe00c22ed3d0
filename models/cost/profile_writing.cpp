#include "models/cost/profile_writing.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "sim/config/toml_text.h"

namespace ringspan {

namespace {

// Lines of the file, one table after the other.
class ProfileText {
 public:
  ProfileText(const Profile& profile, const ProfileComments& comments)
      : profile_(profile), comments_(comments) {}

  // `path` is the table's in sources and comments.
  void begin(std::string_view header, std::string path) {
    text_ += fmt::format("\n{}\n", header);
    path_ = std::move(path);
  }
  void begin(const std::string& table) { begin("[" + table + "]", table); }
  void source() {
    const auto found = profile_.sources.find(path_);
    line("source", toml_string(found == profile_.sources.end() ? "not stated" : found->second));
  }
  void line(std::string_view key, std::string_view value) {
    text_ += fmt::format("{} = {}", key, value);
    const auto comment =
        comments_.find(path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key));
    if (comment != comments_.end()) text_ += " # " + comment->second;
    text_ += '\n';
  }
  void duration(std::string_view key, Duration value) { line(key, toml_duration(value)); }
  // Where it is there.
  void rate(std::string_view key, const std::optional<Bandwidth>& value) {
    if (value) line(key, toml_bandwidth(*value));
  }
  void number(std::string_view key, double value) { line(key, fmt::format("{}", value)); }

  // A protocol left out costs what Simple costs.
  void durations(std::string_view key, const PerProtocol& values) {
    const Duration simple = values[static_cast<std::size_t>(Protocol::Simple)];
    for (const Protocol protocol : kAllProtocols) {
      const Duration value = values[static_cast<std::size_t>(protocol)];
      if (protocol != Protocol::Simple && value == simple) continue;
      duration(fmt::format("{}.{}", key, protocol_name(protocol)), value);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  const Profile& profile_;
  const ProfileComments& comments_;
  std::string path_, text_;
};

void write_head(const Profile& profile, ProfileText& text) {
  text.line("name", toml_string(profile.name));
  text.line("description", toml_string(profile.description));
  text.line("nccl", toml_string(profile.nccl));
  text.line("compute_capability", std::to_string(profile.least_compute_capability));
  if (profile.by_name) text.line("by_name", "true");
  if (profile.without_nvlink) text.line("without_nvlink", "true");
  text.line("source", toml_string(profile.source));
}

void write_launch(const Profile& profile, ProfileText& text) {
  text.begin("launch");
  text.source();
  text.duration("call", profile.launch.call);
  text.duration("per_gpu", profile.launch.per_gpu);
  text.duration("per_further_peer", profile.launch.per_further_peer);
}

void write_threads(const Profile& profile, ProfileText& text) {
  if (!profile.threads.first_lines_in_step) return;
  text.begin("threads");
  text.source();
  text.durations("step", profile.threads.step);
  text.durations("once", profile.threads.once);
}

void write_algorithms(const Profile& profile, ProfileText& text) {
  for (const AlgorithmCost& cost : profile.algorithms) {
    text.begin("[[algorithm]]", "algorithm." + cost.algorithm);
    text.line("name", toml_string(cost.algorithm));
    text.source();
    text.durations("base", cost.base);
    text.durations("nvlink_step", cost.nvlink_step);
    text.durations("pcie_step", cost.pcie_step);
    text.durations("network_step", cost.network_step);
  }
}

void write_link_share(const Profile& profile, ProfileText& text) {
  text.begin("link_share");
  text.source();
  for (const LinkClass link_class : kAllLinkClasses) {
    const double share = profile.link_share[static_cast<std::size_t>(link_class)];
    if (share != 1) text.number(link_class_name(link_class), share);
  }
  if (profile.preset_share.empty()) return;
  text.begin("link_share.preset");
  for (const PresetShare& named : profile.preset_share) {
    text.number(toml_key(named.preset), named.share);
  }
}

void write_reference_wire(const Profile& profile, ProfileText& text) {
  text.begin("reference_wire");
  text.source();
  for (const LinkClass link_class : kAllLinkClasses) {
    text.duration(link_class_name(link_class),
                  profile.reference_wire[static_cast<std::size_t>(link_class)]);
  }
}

void write_kernel_rate(const Profile& profile, ProfileText& text) {
  text.begin("kernel_rate");
  text.source();
  text.rate("ll_per_gpu", profile.ll_rate_per_gpu);
  text.rate("ll_per_channel", profile.ll_rate_per_channel);
  text.rate("ll128_per_gpu", profile.ll128_rate_per_gpu);
  text.rate("ll128_ring_per_channel", profile.ll128_ring_rate_per_channel);
  text.rate("ll128_tree_per_channel", profile.ll128_tree_rate_per_channel);
  text.rate("simple_tree_per_channel", profile.simple_tree_rate_per_channel);
  for (const Protocol protocol : kAllProtocols) {
    text.rate(fmt::format("{}_copy_per_channel", protocol_name(protocol)),
              profile.copy_rate_per_channel[static_cast<std::size_t>(protocol)]);
  }
}

void write_p2p(const Profile& profile, ProfileText& text) {
  text.begin("p2p");
  text.source();
  text.duration("per_peer", profile.p2p.per_peer);
  text.rate("ll_per_channel", profile.p2p.ll_per_channel);
  text.rate("simple_per_channel", profile.p2p.simple_per_channel);
  text.rate("simple_per_gpu", profile.p2p.simple_per_gpu);
  text.rate("simple_copy_per_channel", profile.p2p.simple_copy_per_channel);
}

void write_nvls(const Profile& profile, ProfileText& text) {
  if (profile.nvls_channels == 0) return;
  text.begin("nvls");
  text.source();
  text.number("efficiency", profile.nvls_efficiency);
  text.line("channels", std::to_string(profile.nvls_channels));
  text.line("channels_over_nodes", std::to_string(profile.nvls_channels_over_nodes));
  text.duration("slice", profile.nvls_slice);
}

void write_staging(const Profile& profile, ProfileText& text) {
  text.begin("staging");
  text.source();
  text.number("efficiency", profile.staging_efficiency);
}

void write_range(const FittedRange& range, ProfileText& text) {
  text.begin("[[fitted.range]]", "");
  text.line("class", toml_string(fabric_class_name(range.fabric_class)));
  text.line("collective", toml_string(collective_name(range.collective)));
  text.line("algorithms", toml_strings(range.algorithms));
  text.line("least", toml_bytes(range.least));
  text.line("most", toml_bytes(range.most));
  text.line("least_ranks", std::to_string(range.least_ranks));
  text.line("most_ranks", std::to_string(range.most_ranks));
}

void write_residual(const ResidualRange& residual, ProfileText& text) {
  text.begin("[[residual]]", "");
  text.line("class", toml_string(fabric_class_name(residual.fabric_class)));
  text.line("size", toml_string(size_class_name(residual.size_class)));
  text.line("rows", std::to_string(residual.rows));
  text.line("cases", std::to_string(residual.cases));
  text.number("q10", residual.q10);
  text.number("median", residual.median);
  text.number("q90", residual.q90);
}

void write_fit(const FitRecord& fit, ProfileText& text) {
  text.begin("fitted");
  text.line("date", toml_string(fit.date));
  text.line("tool", toml_string(fit.tool));
  text.line("seed", std::to_string(fit.seed));
  text.line("base", toml_string(fit.base));
  text.line("sources", toml_strings(fit.sources));
  text.line("rows", std::to_string(fit.rows));
  text.line("cases", std::to_string(fit.cases));
  text.line("undetermined", toml_strings(fit.undetermined));
  for (const FittedRange& range : fit.ranges) write_range(range, text);
  for (const ResidualRange& residual : fit.residuals) write_residual(residual, text);
}

}  // namespace

std::string write_profile(const Profile& profile, const ProfileComments& comments) {
  ProfileText text(profile, comments);
  write_head(profile, text);
  write_launch(profile, text);
  write_threads(profile, text);
  write_algorithms(profile, text);
  write_link_share(profile, text);
  write_reference_wire(profile, text);
  write_kernel_rate(profile, text);
  write_p2p(profile, text);
  write_nvls(profile, text);
  write_staging(profile, text);
  if (profile.fit) write_fit(*profile.fit, text);
  return text.take();
}

}  // namespace ringspan
