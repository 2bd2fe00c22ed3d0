// Any bytes are a plan or refused with an InputError; a plan that is read is the same when it is
// written and read again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/check.h"
#include "sim/base/input_error.h"
#include "validation/plan/plan_reading.h"
#include "validation/plan/plan_writing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ringspan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Plan plan = parse_plan(text, "fuzz.toml");
    RINGSPAN_CHECK(!plan.collectives.empty(), "a plan has collectives");
    const std::string written = plan_text(plan);
    RINGSPAN_CHECK(plan_text(parse_plan(written, "again.toml")) == written, "the same plan");
  } catch (const InputError& error) {
    RINGSPAN_CHECK(!error.problems().empty(), "a refusal says why");
  }
  return 0;
}
