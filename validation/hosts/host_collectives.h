#pragma once

#include <cstddef>
#include <cstdint>

#include "models/collectives/collective.h"
#include "validation/hosts/mpi_element.h"

struct ompi_communicator_t;

namespace ringspan {

// One call of a collective on one rank.
struct HostCall {
  CollectiveKind kind = CollectiveKind::AllReduce;
  ompi_communicator_t* communicator = nullptr;
  const MpiElement* element = nullptr;
  int root = 0;
  int count = 0;                    // elements, as in nccl-tests' column
  const std::byte* send = nullptr;  // nullptr: in place
  std::byte* receive = nullptr;     // in place: the one buffer
};

// Throws MpiError.
void run_host_call(const HostCall& call);

}  // namespace ringspan
