#include "validation/hosts/mpi_groups.h"

#include <mpi.h>

#include "validation/hosts/mpi_call.h"

namespace ringspan {

MpiGroups::~MpiGroups() {
  for (auto& [key, made] : made_) {
    if (made != nullptr) MPI_Comm_free(&made);
  }
}

ompi_communicator_t* MpiGroups::communicator(const std::vector<std::int32_t>& ranks,
                                             const TunedAlgorithm& algorithm) {
  const char* const parameter = algorithm.parameter == nullptr ? "" : algorithm.parameter;
  const Key key{ranks, {parameter, algorithm.number}};
  const auto found = made_.find(key);
  if (found != made_.end()) return found->second;
  set_tuned_algorithm(algorithm);
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Group group = MPI_GROUP_NULL;
  mpi_call(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  const std::vector<int> members(ranks.begin(), ranks.end());
  mpi_call(MPI_Group_incl(world, static_cast<int>(members.size()), members.data(), &group),
           "MPI_Group_incl");
  MPI_Comm made = MPI_COMM_NULL;
  mpi_call(MPI_Comm_create(MPI_COMM_WORLD, group, &made), "MPI_Comm_create");
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  if (made != MPI_COMM_NULL) MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  return made_[key] = made == MPI_COMM_NULL ? nullptr : made;
}

}  // namespace ringspan
