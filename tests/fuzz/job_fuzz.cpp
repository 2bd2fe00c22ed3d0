// Any bytes are either jobs or refused with InputErrors, as the text of --concurrent and as a file;
// jobs that are read have ranks, each once, and wait for jobs that are there.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "app/scenario/job_spec.h"
#include "sim/base/check.h"
#include "sim/base/input_error.h"

namespace {

using namespace ringspan;

void check(const std::vector<JobSpec>& jobs) {
  RINGSPAN_CHECK(!jobs.empty(), "there is a job");
  for (const JobSpec& job : jobs) {
    RINGSPAN_CHECK(!job.ranks.empty() && !job.name.empty(), "a job has ranks and a name");
    const std::set<std::int32_t> ranks(job.ranks.begin(), job.ranks.end());
    RINGSPAN_CHECK(ranks.size() == job.ranks.size() && *ranks.begin() >= 0, "each rank once");
    for (const std::size_t other : job.after) {
      RINGSPAN_CHECK(other < jobs.size(), "jobs wait for jobs");
    }
  }
}

template <typename Read>
void jobs_or_refusal(Read read) {
  try {
    check(read());
  } catch (const InputError& error) {
    RINGSPAN_CHECK(!error.problems().empty(), "a refusal says why");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  jobs_or_refusal([&] { return parse_jobs(text, CollectiveKind::AllReduce); });
  jobs_or_refusal([&] { return parse_job_file(text, "fuzz.toml", std::nullopt); });
  return 0;
}
