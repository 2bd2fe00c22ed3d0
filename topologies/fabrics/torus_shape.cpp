#include "topologies/fabrics/torus_shape.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/check.h"

namespace ringspan {

namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

}  // namespace

TorusShape::TorusShape(std::vector<std::uint32_t> sizes, std::vector<TorusTwist> twists)
    : sizes_(std::move(sizes)), twists_(std::move(twists)) {
  RINGSPAN_CHECK(!sizes_.empty() && sizes_.size() <= kMostTorusDimensions, "1 to 6 dimensions");
  for (const std::uint32_t size : sizes_) switches_ *= size;
  if (!twists_.empty()) make_table();
}

std::uint32_t TorusShape::coordinate(std::uint32_t number, std::uint32_t dimension) const {
  for (std::uint32_t d = 0; d < dimension; ++d) number /= sizes_[d];
  return number % sizes_[dimension];
}

std::uint32_t TorusShape::directions(std::uint32_t dimension) const {
  const bool twisted = std::any_of(twists_.begin(), twists_.end(), [&](const TorusTwist& twist) {
    return twist.wrap == dimension;
  });
  if (sizes_[dimension] == 2 && !twisted) return 1;
  return sizes_[dimension] == 1 && !twisted ? 0 : 2;
}

TorusShape::Point TorusShape::point(std::uint32_t number) const {
  Point point{};
  for (std::size_t d = 0; d < sizes_.size(); ++d) {
    point[d] = number % sizes_[d];
    number /= sizes_[d];
  }
  return point;
}

std::uint32_t TorusShape::number(Point point) const {
  for (const TorusTwist& twist : twists_) {
    const std::int64_t rounds = floor_divide(point[twist.wrap], sizes_[twist.wrap]);
    point[twist.wrap] -= rounds * sizes_[twist.wrap];
    point[twist.shift] += rounds * twist.by;
  }
  std::int64_t number = 0;
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    const std::int64_t size = sizes_[d];
    number = number * size + point[d] - floor_divide(point[d], size) * size;
  }
  return static_cast<std::uint32_t>(number);
}

std::uint32_t TorusShape::neighbour(std::uint32_t at, TorusStep step) const {
  Point there = point(at);
  there[step.dimension] += step.up ? 1 : -1;
  return number(there);
}

std::uint32_t TorusShape::difference(std::uint32_t from, std::uint32_t to) const {
  Point way = point(to);
  const Point start = point(from);
  for (std::size_t d = 0; d < sizes_.size(); ++d) way[d] -= start[d];
  return number(way);
}

std::uint32_t TorusShape::plain_hops(std::uint32_t difference) const {
  std::uint32_t hops = 0;
  for (const std::uint32_t size : sizes_) {
    const std::uint32_t up = difference % size;
    hops += std::min(up, size - up);
    difference /= size;
  }
  return hops;
}

std::uint32_t TorusShape::hops(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t way = difference(from, to);
  return hops_.empty() ? plain_hops(way) : hops_[way];
}

// Breadth first from switch 0.
void TorusShape::make_table() {
  constexpr std::uint32_t kOpen = std::numeric_limits<std::uint32_t>::max();
  hops_.assign(switches_, kOpen);
  hops_[0] = 0;
  std::vector<std::uint32_t> reached{0};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (std::uint32_t d = 0; d < sizes_.size(); ++d) {
      for (const bool up : {true, false}) {
        const std::uint32_t next = neighbour(reached[i], {d, up});
        if (hops_[next] != kOpen) continue;
        hops_[next] = hops_[reached[i]] + 1;
        reached.push_back(next);
      }
    }
  }
}

void TorusShape::nearer(std::uint32_t at, std::uint32_t end, std::uint32_t source,
                        TorusSteps& out) const {
  out.count = 0;
  if (hops_.empty()) return plain_nearer(at, end, source, out);
  const std::uint32_t now = hops(at, end);
  for (std::uint32_t d = 0; d < sizes_.size(); ++d) {
    const bool even = source % sizes_[d] % 2 == 0;
    source /= sizes_[d];
    const std::uint32_t ways = directions(d);
    for (std::uint32_t i = 0; i < ways; ++i) {
      const TorusStep step{d, ways == 1 || even == (i == 0)};
      if (hops(neighbour(at, step), end) < now) out.steps[out.count++] = step;
    }
  }
}

// Every dimension on its own.
void TorusShape::plain_nearer(std::uint32_t at, std::uint32_t end, std::uint32_t source,
                              TorusSteps& out) const {
  for (std::uint32_t d = 0; d < sizes_.size(); ++d) {
    const std::uint32_t size = sizes_[d];
    const std::uint32_t up = (end % size + size - at % size) % size;
    const std::uint32_t down = size - up;
    const bool even = source % size % 2 == 0;
    at /= size;
    end /= size;
    source /= size;
    if (up == 0) continue;
    if (up < down || (up == down && (even || size == 2))) out.steps[out.count++] = {d, true};
    if (up >= down && size > 2) out.steps[out.count++] = {d, false};
    if (up == down && !even && size > 2) out.steps[out.count++] = {d, true};
  }
}

}  // namespace ringspan
