#pragma once

// A communicator per list of ranks and forced algorithm, made once. Making one is collective over
// the world.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "validation/hosts/tuned_algorithm.h"

struct ompi_communicator_t;

namespace ringspan {

class MpiGroups {
 public:
  MpiGroups() = default;
  ~MpiGroups();
  MpiGroups(const MpiGroups&) = delete;
  MpiGroups& operator=(const MpiGroups&) = delete;

  // nullptr on ranks that are not in it. All ranks of the world call it, in the same order.
  ompi_communicator_t* communicator(const std::vector<std::int32_t>& ranks,
                                    const TunedAlgorithm& algorithm);

 private:
  using Key = std::pair<std::vector<std::int32_t>, std::pair<std::string, int>>;
  std::map<Key, ompi_communicator_t*> made_;
};

}  // namespace ringspan
