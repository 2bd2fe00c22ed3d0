#pragma once

#include <stdexcept>
#include <string>

namespace ringspan {

// A call of MPI that failed: names the call, the rank and MPI's text.
class MpiError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws MpiError where `status` is not MPI_SUCCESS. `call`: "MPI_Allreduce".
void mpi_call(int status, const char* call);

int mpi_rank();
int mpi_ranks();

}  // namespace ringspan
