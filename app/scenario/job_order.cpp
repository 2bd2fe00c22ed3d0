#include "app/scenario/job_order.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

namespace ringspan {

namespace {

using Numbers = std::map<std::string, std::size_t>;

Numbers numbers_of(std::span<const ConfigNode> nodes, std::span<const JobSpec> jobs) {
  Numbers numbers;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const auto [known, added] = numbers.emplace(jobs[j].name, j);
    if (added) continue;
    nodes[j].fail(
        "name",
        fmt::format("jobs {} and {} are both named '{}'", known->second + 1, j + 1, jobs[j].name),
        "a job without a name is named by its number");
  }
  return numbers;
}

void read_after(const ConfigNode& node, const Numbers& numbers, JobSpec& job) {
  if (!node.has("after")) return;
  for (const std::string& name : node.texts("after")) {
    const auto found = numbers.find(name);
    if (found != numbers.end()) {
      job.after.push_back(found->second);
      continue;
    }
    std::vector<std::string> names;
    for (const auto& [known, number] : numbers) names.push_back(known);
    node.fail("after", fmt::format("there is no job '{}'", name), name_hint(name, names));
  }
  if (job.after.empty()) node.fail("after", "names no job", "leave it out, or name a job");
}

// Takes away the jobs that can start, again and again; what is left waits for itself.
void require_no_circle(std::span<const ConfigNode> nodes, std::span<const JobSpec> jobs) {
  std::vector<bool> done(jobs.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (done[j]) continue;
      bool ready = true;
      for (const std::size_t other : jobs[j].after) ready = ready && done[other];
      done[j] = ready;
      changed = changed || ready;
    }
  }
  const auto stuck = std::find(done.begin(), done.end(), false);
  if (stuck == done.end()) return;
  // From any job that cannot start, a walk along what it waits for ends in the circle.
  auto job = static_cast<std::size_t>(stuck - done.begin());
  for (std::size_t step = 0; step < jobs.size(); ++step) {
    job = *std::find_if(jobs[job].after.begin(), jobs[job].after.end(),
                        [&](std::size_t other) { return !done[other]; });
  }
  nodes[job].fail(
      "after",
      fmt::format("job '{}' waits for itself, through the jobs it waits for", jobs[job].name),
      "take out one of the waits in the circle");
}

}  // namespace

void order_jobs(std::span<const ConfigNode> nodes, std::span<JobSpec> jobs) {
  const Numbers numbers = numbers_of(nodes, jobs);
  for (std::size_t j = 0; j < jobs.size(); ++j) read_after(nodes[j], numbers, jobs[j]);
  require_no_circle(nodes, jobs);
}

}  // namespace ringspan
