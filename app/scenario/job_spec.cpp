#include "app/scenario/job_spec.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/scenario/job_order.h"
#include "models/collectives/rank_ranges.h"
#include "sim/base/quantity.h"
#include "sim/config/config_node.h"
#include "sim/config/read_input.h"
#include "topologies/builders/config_reading.h"

namespace ringspan {

namespace {

constexpr const char* kExample = "for example: --concurrent \"all_reduce@0-7,all_gather@8-15\"";

// An InputError of the library, said of one job of the option's text.
template <typename Read>
auto of_job(std::size_t number, std::string_view text, Read read) {
  try {
    return read();
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().front();
    throw InputError(fmt::format("--concurrent: job {}, '{}': {}", number, text, problem.message),
                     problem.hint);
  }
}

Bytes checked_size(Bytes size) {
  constexpr Bytes kLargest{std::int64_t{1} << 62};
  if (size > kLargest) {
    throw InputError(fmt::format("{} bytes are too many", size.count),
                     "the largest size is 2^62 bytes (4194304T)");
  }
  return size;
}

JobSpec parse_job(std::string_view text, std::optional<CollectiveKind> collective) {
  JobSpec job;
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) {
    throw InputError("it has no '@' with the ranks behind it",
                     "COLLECTIVE[:SIZE]@RANKS; ranks of one job are joined by +, as in 0-3+8-11");
  }
  std::string_view what = text.substr(0, at);
  const std::size_t colon = what.find(':');
  if (colon != std::string_view::npos) {
    job.size = checked_size(parse_size(what.substr(colon + 1)).size);
    what = what.substr(0, colon);
  }
  if (what.empty() && !collective) throw InputError("it names no collective", kExample);
  job.collective = what.empty() ? *collective : collective_from_name(what);
  job.rank_text = text.substr(at + 1);
  job.ranks = parse_ranks(job.rank_text);
  return job;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// Long enough for any study, and sums of them stay far from the end of time.
Duration read_time(const ConfigNode& node, std::string_view key) {
  constexpr Duration kMost = std::chrono::hours(1);
  const Duration value = node.find_duration(key).value_or(Duration{});
  if (value > kMost) node.fail(key, "more than an hour", "give a time up to 3600 s");
  return value;
}

// Names stand in tables, one line each.
void require_name(const ConfigNode& node, const std::string& name) {
  if (name.empty()) node.fail("name", "a job's name is empty", "leave it out, or name the job");
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(name.begin(), name.end(), is_control)) {
    node.fail("name", "a job's name has a line break or another control character",
              "give it a name of one line");
  }
}

JobSpec read_job(const ConfigNode& node, std::size_t number,
                 std::optional<CollectiveKind> collective) {
  JobSpec job;
  job.where = node.position_of(node.has("algorithm") ? "algorithm" : "ranks");
  job.ranks_at = node.position_of("ranks");
  job.name = node.text_or("name", std::to_string(number));
  require_name(node, job.name);
  if (given(node, "collective") || !collective) {
    const std::string text = node.text("collective");
    job.collective = at_key(node, "collective", [&] { return collective_from_name(text); });
  } else {
    job.collective = *collective;
  }
  job.rank_text = node.text("ranks");
  job.ranks = at_key(node, "ranks", [&] { return parse_ranks(job.rank_text); });
  if (given(node, "size")) {
    job.size = at_key(node, "size", [&] { return checked_size(node.bytes("size")); });
  }
  job.start = read_time(node, "start");
  job.delay = read_time(node, "delay");
  if (!given(node, "after") && job.delay > Duration{}) {
    node.fail("delay", "delay counts from the end of the jobs in `after`, and there is none",
              "give `start` instead, a time from the beginning of the run");
  }
  if (given(node, "algorithm")) job.algorithm = node.text("algorithm");
  if (given(node, "protocol")) {
    const std::string text = node.text("protocol");
    job.protocol = at_key(node, "protocol", [&] { return protocol_from_name(text); });
  }
  if (given(node, "channels")) job.channels = static_cast<int>(node.integer("channels", 1, 64));
  const auto most_root = static_cast<std::int64_t>(job.ranks.size()) - 1;
  job.root = static_cast<int>(node.integer_or("root", 0, 0, most_root));
  return job;
}

bool names_a_file(std::string_view spec) {
  if (spec == "-" || (spec.size() > 5 && spec.substr(spec.size() - 5) == ".toml")) return true;
  std::error_code unreadable;
  return spec.find('@') == std::string_view::npos &&
         std::filesystem::is_regular_file(std::filesystem::path(spec), unreadable);
}

void require_number(std::size_t count) {
  if (count <= kMostJobs) return;
  throw InputError(fmt::format("{} jobs are too many", count),
                   fmt::format("up to {} collectives at once", kMostJobs));
}

}  // namespace

std::vector<JobSpec> parse_jobs(std::string_view text, std::optional<CollectiveKind> collective) {
  std::vector<JobSpec> jobs;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = without_blanks(rest.substr(0, comma));
    const std::size_t number = jobs.size() + 1;
    jobs.push_back(of_job(number, part, [&] { return parse_job(part, collective); }));
    jobs.back().name = std::to_string(number);
    require_number(number);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return jobs;
}

std::vector<JobSpec> parse_job_file(std::string_view text, const std::string& name,
                                    std::optional<CollectiveKind> collective) {
  const ConfigDocument document = ConfigDocument::parse_text(text, name);
  const ConfigNode root = document.root();
  const std::vector<ConfigNode> nodes = root.children("job");
  if (nodes.empty()) {
    root.fail("job", "the file has no [[job]]",
              "one [[job]] for each collective, with `collective` and `ranks`");
  }
  require_number(nodes.size());
  std::vector<JobSpec> jobs;
  for (const ConfigNode& node : nodes) jobs.push_back(read_job(node, jobs.size() + 1, collective));
  order_jobs(nodes, jobs);
  document.finish();
  return jobs;
}

std::vector<JobSpec> read_jobs(std::string_view spec, std::optional<CollectiveKind> collective) {
  if (names_a_file(spec)) {
    if (spec == "-") return parse_job_file(read_standard_input(), "<standard input>", collective);
    return parse_job_file(read_input_file(std::filesystem::path(spec)), std::string(spec),
                          collective);
  }
  if (spec.find('@') == std::string_view::npos) {
    throw InputError(fmt::format("--concurrent: '{}' is no file and lists no jobs", spec),
                     kExample);
  }
  return parse_jobs(spec, collective);
}

}  // namespace ringspan
