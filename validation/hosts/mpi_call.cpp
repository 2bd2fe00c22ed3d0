#include "validation/hosts/mpi_call.h"

#include <fmt/format.h>
#include <mpi.h>

namespace ringspan {

void mpi_call(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw MpiError(fmt::format("{} failed on rank {}: {}", call, mpi_rank(), text));
}

int mpi_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int mpi_ranks() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

}  // namespace ringspan
