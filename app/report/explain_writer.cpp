#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/report/explain_parts.h"
#include "app/report/number_text.h"
#include "app/report/report_writers.h"
#include "sim/base/quantity.h"

namespace ringspan {

namespace {

template <typename... Arguments>
void line(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
  text += '\n';
}

constexpr std::size_t kRanksShown = 16;

void append_communicator(const RunReport& report, std::string& text) {
  line(text, "Communicator: {} rank{} on {}, {} server{}, {}", report.gpus,
       report.gpus == 1 ? "" : "s", report.system, report.nodes, report.nodes == 1 ? "" : "s",
       report.gpu_model);
  const std::size_t shown = std::min(report.rank_devices.size(), kRanksShown);
  std::string devices;
  for (std::size_t rank = 0; rank < shown; ++rank) {
    fmt::format_to(std::back_inserter(devices), " {}={}", rank, report.rank_devices[rank].name);
  }
  const int left = report.gpus - static_cast<int>(shown);
  if (left > 0) fmt::format_to(std::back_inserter(devices), " and {} more", left);
  line(text, "  rank=device:{}", devices);
  line(text, "  profile {} (constants of NCCL {}), {} network", report.profile, report.nccl,
       network_name(report.network));
}

void append_paths(const RunReport& report, std::string& text) {
  text += "Paths of the transfers (per direction, one transfer alone)\n";
  if (report.paths.empty()) text += "  none: nothing leaves a GPU\n";
  for (const PathClassUse& path : report.paths) {
    line(text, "  {}: {} pair{}, {} GB/s, {}, e.g. {}", path.kind, path.pairs,
         path.pairs == 1 ? "" : "s", significant(path.payload_gbs, 4), time_text(path.latency),
         path.example);
    if (!path.reason.empty()) line(text, "    staged: {}", path.reason);
  }
}

// "2 x 7/8 of the size": the factors that collectives are known for, else the plain quotient.
std::string share_of_size(const RunReport& report, const RunRow& row) {
  if (row.bytes <= 0) return {};
  const double share = static_cast<double>(row.rank_send_bytes) / static_cast<double>(row.bytes);
  const double others = (report.gpus - 1.0) / report.gpus;
  // Chunks are rounded to whole lines, which adds up to a few parts in a thousand.
  const auto is_about = [share](double value) { return std::abs(share - value) <= 1e-3 * value; };
  if (is_about(1)) return " (the size, once)";
  if (is_about(2)) return " (2 x the size)";
  const std::string fraction = fmt::format("{}/{}", report.gpus - 1, report.gpus);
  if (is_about(2 * others)) return " (2 x " + fraction + " of the size)";
  if (is_about(others)) return " (" + fraction + " of the size)";
  return fmt::format(" ({} x the size)", significant(share, 4));
}

// Bytes on the wire per link class, in the order of the busiest resource of each.
std::string wire_bytes_by_class(const RunRow& row) {
  struct Sum {
    std::string link_class;
    double bytes = 0;
    int resources = 0;
  };
  std::vector<Sum> sums;
  for (const ResourceLoad& load : row.loads) {
    auto sum = std::find_if(sums.begin(), sums.end(),
                            [&](const Sum& s) { return s.link_class == load.link_class; });
    if (sum == sums.end()) sum = sums.insert(sums.end(), {load.link_class, 0, 0});
    sum->bytes += load.bytes;
    ++sum->resources;
  }
  std::string text;
  for (const Sum& sum : sums) {
    fmt::format_to(std::back_inserter(text), "{}{} {} over {} resource{}", text.empty() ? "" : "; ",
                   sum.link_class, size_text(sum.bytes), sum.resources,
                   sum.resources == 1 ? "" : "s");
  }
  return text;
}

void append_row(const RunReport& report, const RunRow& row, std::string& text) {
  line(text, "\n{} ({} bytes)", format_size(Bytes{row.bytes}), row.bytes);
  line(text, "  algorithm       {}, protocol {}, {} channel{}, granularity {}", row.algorithm,
       protocol_name(row.protocol), row.channels, row.channels == 1 ? "" : "s",
       granularity_name(row.granularity));
  line(text, "  cut             chunks up to {}, slices of {}, {} loop{}",
       format_size(Bytes{row.chunk_bytes}), format_size(Bytes{row.slice_bytes}), row.loops,
       row.loops == 1 ? "" : "s");
  const bool symmetric = report.root < 0 && row.algorithm == "ring";
  line(text, "  bytes           {} rank sends {}{}", symmetric ? "each" : "the busiest",
       format_size(Bytes{row.rank_send_bytes}), share_of_size(report, row));
  const std::string wire = wire_bytes_by_class(row);
  if (!wire.empty()) {
    line(text, "  on the wire     {} (links in series that carry the same count once)", wire);
  }
  line(text, "  time            {} out of place (algbw {} GB/s, busbw {} GB/s), {} in place",
       time_text(row.time), significant(row.algbw_gbs, 4), significant(row.busbw_gbs, 4),
       time_text(row.time_in_place));
  line(text, "  limited by      {}, {} busy", row.bottleneck, percent(row.bottleneck_utilisation));
  append_bound(row, text);
  append_loads(row, text);
  append_candidates(row, text);
  line(text, "  engine          {} operations, {} events, {} of memory estimated before the run",
       row.operations, row.events, format_size(Bytes{row.memory_bytes}));
  for (const std::string& note : row.notes) line(text, "  note            {}", note);
}

}  // namespace

std::string explain_text(const RunReport& report) {
  std::string text;
  append_communicator(report, text);
  append_paths(report, text);
  for (const RunRow& row : report.rows) append_row(report, row, text);
  return text;
}

}  // namespace ringspan
