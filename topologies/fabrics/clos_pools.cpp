#include "topologies/fabrics/clos_pools.h"

#include <algorithm>

namespace ringspan {

namespace {

// Alive ways and what they carry.
struct Ways {
  double sum = 0, slowest = 0;
  std::uint32_t alive = 0;

  void add(double rate) {
    if (rate <= 0) return;
    slowest = alive == 0 ? rate : std::min(slowest, rate);
    sum += rate;
    ++alive;
  }
  double carried(bool even) const { return even ? alive * slowest : sum; }
};

}  // namespace

double ClosPools::leaf_up(std::uint32_t plane, std::uint32_t leaf) const {
  if (cables_.whole()) return shape_.leaf_uplinks();
  Ways ways;
  for (std::uint32_t spine = 0; spine < shape_.spines; ++spine) {
    for (std::uint32_t cable = 0; cable < shape_.cables_per_spine; ++cable) {
      ways.add(cables_.leaf_cable(plane, leaf, spine, cable));
    }
  }
  return ways.carried(even_);
}

double ClosPools::leaf_down(std::uint32_t plane, std::uint32_t leaf) const {
  if (cables_.whole()) return shape_.leaf_uplinks();
  Ways spines;
  for (std::uint32_t spine = 0; spine < shape_.spines; ++spine) {
    Ways ways;
    for (std::uint32_t cable = 0; cable < shape_.cables_per_spine; ++cable) {
      ways.add(cables_.leaf_cable(plane, leaf, spine, cable));
    }
    spines.add(ways.carried(even_));
  }
  return spines.carried(even_);
}

double ClosPools::block_up(std::uint32_t plane, std::uint32_t block) const {
  if (cables_.whole()) return shape_.spines * shape_.spine_uplinks();
  Ways spines;
  for (std::uint32_t spine = 0; spine < shape_.spines; ++spine) {
    Ways ways;
    for (std::uint32_t place = 0; place < shape_.cores_per_group(); ++place) {
      for (std::uint32_t cable = 0; cable < shape_.cables_per_core; ++cable) {
        ways.add(cables_.spine_cable(plane, block * shape_.spines + spine, place, cable));
      }
    }
    spines.add(ways.carried(even_));
  }
  return spines.carried(even_);
}

double ClosPools::block_down(std::uint32_t plane, std::uint32_t block) const {
  if (cables_.whole()) return shape_.spines * shape_.spine_uplinks();
  Ways cores;
  for (std::uint32_t core = 0; core < shape_.cores; ++core) {
    const std::uint32_t group = core / shape_.cores_per_group();
    const std::uint32_t place = core % shape_.cores_per_group();
    Ways ways;
    for (std::uint32_t spine = group; spine < shape_.spines; spine += shape_.core_groups) {
      for (std::uint32_t cable = 0; cable < shape_.cables_per_core; ++cable) {
        ways.add(cables_.spine_cable(plane, block * shape_.spines + spine, place, cable));
      }
    }
    cores.add(ways.carried(even_));
  }
  return cores.carried(even_);
}

}  // namespace ringspan
