#include "app/study/crossover.h"

#include <cmath>
#include <cstddef>
#include <optional>

#include "sim/base/check.h"

namespace ringspan {

std::vector<Crossover> crossovers(std::span<const double> sizes, std::span<const double> first,
                                  std::span<const double> second) {
  RINGSPAN_CHECK(sizes.size() == first.size() && sizes.size() == second.size(),
                 "a time of each curve for each size");
  struct Point {
    double size = 0, log_ratio = 0;  // of first over second: negative where the first is faster
  };
  std::vector<Crossover> found;
  std::optional<Point> last;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] <= 0 || first[i] <= 0 || second[i] <= 0 || first[i] == second[i]) continue;
    const Point here{sizes[i], std::log(first[i] / second[i])};
    if (last && (last->log_ratio < 0) != (here.log_ratio < 0)) {
      const double share = last->log_ratio / (last->log_ratio - here.log_ratio);
      const double bytes = last->size * std::pow(here.size / last->size, share);
      found.push_back({bytes, last->size, here.size, last->log_ratio < 0});
    }
    last = here;
  }
  return found;
}

}  // namespace ringspan
