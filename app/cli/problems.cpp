#include "app/cli/problems.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "app/cli/output.h"

namespace ringspan {

void write_problems(std::vector<InputProblem> problems) {
  constexpr std::size_t kMostShown = 20;
  if (problems.empty()) return;
  std::string more;
  if (problems.size() > kMostShown) {
    more = fmt::format("{} more problems are not shown", problems.size() - kMostShown);
    problems.resize(kMostShown);
  }
  write_message(InputError(std::move(problems)).what());
  if (!more.empty()) write_message(more);
}

}  // namespace ringspan
