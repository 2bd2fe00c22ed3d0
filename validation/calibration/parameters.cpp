#include "validation/calibration/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// Algorithms whose data moves with some protocols only.
bool runs_with(std::string_view algorithm, Protocol protocol) {
  constexpr std::array<std::string_view, 5> kSimpleOnly = {"nvls", "nvlstree", "collnetdirect",
                                                           "collnetchain", "pat"};
  if (protocol == Protocol::Simple) return true;
  if (algorithm == "p2p") return protocol == Protocol::LL;
  return std::find(kSimpleOnly.begin(), kSimpleOnly.end(), algorithm) == kSimpleOnly.end();
}

// Collects those that the profile has. An accessor gives the constant's place in a profile, const
// or not.
class Collector {
 public:
  explicit Collector(const Profile& profile) : profile_(profile) {}

  template <typename Place>
  void duration(const std::string& path, double low, double high, Place place) {
    if (place(profile_) == Duration{}) return;
    add(
        path, ParameterKind::Microseconds, low, high,
        [place](const Profile& profile) { return to_microseconds(place(profile)); },
        [place](Profile& profile, double value) {
          place(profile) = duration_from_microseconds(value);
        });
  }

  template <typename Place>
  void rate(const std::string& path, double low, double high, Place place) {
    if (!place(profile_)) return;
    add(
        path, ParameterKind::GBytesPerSecond, low, high,
        [place](const Profile& profile) { return to_gbytes_per_second(*place(profile)); },
        [place](Profile& profile, double value) {
          place(profile) = bandwidth_from_gbytes_per_second(value);
        });
  }

  template <typename Place>
  void number(const std::string& path, ParameterKind kind, double low, double high, Place place) {
    add(path, kind, low, high, place,
        [place](Profile& profile, double value) { place(profile) = value; });
  }

  // Of a table with one duration per protocol.
  template <typename Place>
  void durations(const std::string& path, double low, double high, Place place,
                 std::string_view algorithm = "") {
    for (const Protocol protocol : kAllProtocols) {
      if (!runs_with(algorithm, protocol)) continue;
      const auto p = static_cast<std::size_t>(protocol);
      duration(
          fmt::format("{}.{}", path, protocol_name(protocol)), low, high,
          [ place, p ](auto& profile) -> auto& { return place(profile)[p]; });
    }
  }

  std::vector<Parameter> take() { return std::move(parameters_); }

 private:
  void add(std::string path, ParameterKind kind, double low, double high,
           std::function<double(const Profile&)> value, std::function<void(Profile&, double)> set) {
    parameters_.push_back({std::move(path), kind, low, high, std::move(value), std::move(set)});
  }

  const Profile& profile_;
  std::vector<Parameter> parameters_;
};

void collect_launch(Collector& all) {
  all.duration(
      "launch.call", 0.2, 100, [](auto& p) -> auto& { return p.launch.call; });
  all.duration(
      "launch.per_gpu", 0.2, 50, [](auto& p) -> auto& { return p.launch.per_gpu; });
  all.duration(
      "launch.per_further_peer", 0.05, 20,
      [](auto& p) -> auto& { return p.launch.per_further_peer; });
  all.durations(
      "threads.step", 0.01, 20, [](auto& p) -> auto& { return p.threads.step; });
  all.durations(
      "threads.once", 0.01, 20, [](auto& p) -> auto& { return p.threads.once; });
}

// A hop: from a memory access to what a busy network takes, or over TCP a busy host.
void collect_algorithms(const Profile& profile, Collector& all) {
  for (std::size_t a = 0; a < profile.algorithms.size(); ++a) {
    const std::string& name = profile.algorithms[a].algorithm;
    const std::string path = "algorithm." + name + ".";
    all.durations(
        path + "base", 0.05, 200, [a](auto& p) -> auto& { return p.algorithms[a].base; }, name);
    all.durations(
        path + "nvlink_step", 0.05,
        50, [a](auto& p) -> auto& { return p.algorithms[a].nvlink_step; }, name);
    all.durations(
        path + "pcie_step", 0.1, 100, [a](auto& p) -> auto& { return p.algorithms[a].pcie_step; },
        name);
    all.durations(
        path + "network_step", 0.5,
        20'000, [a](auto& p) -> auto& { return p.algorithms[a].network_step; }, name);
  }
}

void collect_shares(const Profile& profile, Collector& all) {
  for (const LinkClass link_class : kAllLinkClasses) {
    const auto c = static_cast<std::size_t>(link_class);
    // Without a figure of its own a class gets all of its links.
    if (profile.link_share[c] == 1) continue;
    all.number(
        fmt::format("link_share.{}", link_class_name(link_class)), ParameterKind::Share, 0.2,
        1, [c](auto& p) -> auto& { return p.link_share[c]; });
  }
  for (std::size_t i = 0; i < profile.preset_share.size(); ++i) {
    all.number(
        "link_share.preset." + profile.preset_share[i].preset, ParameterKind::Share, 0.2,
        1, [i](auto& p) -> auto& { return p.preset_share[i].share; });
  }
  if (profile.staging_efficiency != 1) {
    all.number(
        "staging.efficiency", ParameterKind::Share, 0.2, 1,
        [](auto& p) -> auto& { return p.staging_efficiency; });
  }
}

// GB/s of payload: a channel is one SM, which copies 1 to 200 GB/s.
void collect_rates(Collector& all) {
  all.rate(
      "kernel_rate.ll_per_gpu", 5, 5000, [](auto& p) -> auto& { return p.ll_rate_per_gpu; });
  all.rate(
      "kernel_rate.ll_per_channel", 0.5, 200,
      [](auto& p) -> auto& { return p.ll_rate_per_channel; });
  all.rate(
      "kernel_rate.ll128_per_gpu", 5, 5000, [](auto& p) -> auto& { return p.ll128_rate_per_gpu; });
  all.rate(
      "kernel_rate.ll128_ring_per_channel", 0.5, 200,
      [](auto& p) -> auto& { return p.ll128_ring_rate_per_channel; });
  all.rate(
      "kernel_rate.ll128_tree_per_channel", 0.5, 200,
      [](auto& p) -> auto& { return p.ll128_tree_rate_per_channel; });
  all.rate(
      "kernel_rate.simple_tree_per_channel", 0.5, 200,
      [](auto& p) -> auto& { return p.simple_tree_rate_per_channel; });
  for (const Protocol protocol : kAllProtocols) {
    const auto i = static_cast<std::size_t>(protocol);
    all.rate(
        fmt::format("kernel_rate.{}_copy_per_channel", protocol_name(protocol)), 0.5,
        500, [i](auto& p) -> auto& { return p.copy_rate_per_channel[i]; });
  }
}

void collect_p2p(Collector& all) {
  all.duration(
      "p2p.per_peer", 0.01, 20, [](auto& p) -> auto& { return p.p2p.per_peer; });
  all.rate(
      "p2p.ll_per_channel", 0.5, 200, [](auto& p) -> auto& { return p.p2p.ll_per_channel; });
  all.rate(
      "p2p.simple_per_channel", 0.5, 200,
      [](auto& p) -> auto& { return p.p2p.simple_per_channel; });
  all.rate(
      "p2p.simple_per_gpu", 5, 5000, [](auto& p) -> auto& { return p.p2p.simple_per_gpu; });
  all.rate(
      "p2p.simple_copy_per_channel", 0.5, 500,
      [](auto& p) -> auto& { return p.p2p.simple_copy_per_channel; });
}

void collect_nvls(const Profile& profile, Collector& all) {
  if (profile.nvls_channels == 0) return;
  all.number(
      "nvls.efficiency", ParameterKind::Share, 0.2, 1,
      [](auto& p) -> auto& { return p.nvls_efficiency; });
  all.duration(
      "nvls.slice", 0.1, 100, [](auto& p) -> auto& { return p.nvls_slice; });
}

}  // namespace

std::vector<Parameter> fitted_parameters(const Profile& profile) {
  Collector all(profile);
  collect_launch(all);
  collect_algorithms(profile, all);
  collect_shares(profile, all);
  collect_rates(all);
  collect_p2p(all);
  collect_nvls(profile, all);
  return all.take();
}

std::string parameter_text(const Parameter& parameter, double value) {
  const double shown = rounded_to_three_digits(value);
  switch (parameter.kind) {
    case ParameterKind::Microseconds:
      return fmt::format("{} us", shown);
    case ParameterKind::GBytesPerSecond:
      return fmt::format("{} GB/s", shown);
    case ParameterKind::Share:
    case ParameterKind::Factor:
      return fmt::format("{}", shown);
  }
  RINGSPAN_CHECK(false, "unknown kind of parameter");
}

double rounded_to_three_digits(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace ringspan
