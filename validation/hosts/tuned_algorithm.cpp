#include "validation/hosts/tuned_algorithm.h"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <vector>

#include "sim/base/input_error.h"
#include "validation/hosts/mpi_call.h"

namespace ringspan {

namespace {

struct Entry {
  CollectiveKind kind;
  std::string_view ours;
  int number;
  const char* name;
};

using enum CollectiveKind;

// Only those that move the same blocks over the same steps as ours.
constexpr std::array kAlgorithms = {
    Entry{AllReduce, "ring", 4, "ring"},
    Entry{AllReduce, "halving-doubling", 6, "rabenseifner"},
    Entry{AllGather, "ring", 4, "ring"},
    Entry{AllGather, "bruck", 2, "bruck"},
    Entry{AllGather, "halving-doubling", 3, "recursive_doubling"},
    Entry{ReduceScatter, "ring", 3, "ring"},
    Entry{ReduceScatter, "halving-doubling", 2, "recursive_halving"},
    Entry{AllToAll, "direct", 1, "linear"},
    Entry{AllToAll, "p2p", 1, "linear"},
    Entry{AllToAll, "pairwise", 2, "pairwise"},
    Entry{AllToAll, "bruck", 3, "modified_bruck"},
    Entry{Broadcast, "ring", 3, "pipeline"},
    Entry{Reduce, "ring", 3, "pipeline"},
    Entry{Gather, "direct", 1, "basic_linear"},
    Entry{Gather, "p2p", 1, "basic_linear"},
    Entry{Scatter, "direct", 1, "basic_linear"},
    Entry{Scatter, "p2p", 1, "basic_linear"},
};

const char* parameter_of(CollectiveKind kind) {
  switch (kind) {
    case AllReduce:
      return "coll_tuned_allreduce_algorithm";
    case AllGather:
      return "coll_tuned_allgather_algorithm";
    case ReduceScatter:
      return "coll_tuned_reduce_scatter_algorithm";
    case AllToAll:
      return "coll_tuned_alltoall_algorithm";
    case Broadcast:
      return "coll_tuned_bcast_algorithm";
    case Reduce:
      return "coll_tuned_reduce_algorithm";
    case Gather:
      return "coll_tuned_gather_algorithm";
    case Scatter:
      return "coll_tuned_scatter_algorithm";
    case SendRecv:
      break;  // point to point
  }
  return nullptr;
}

int variable_index(const char* name) {
  int index = -1;
  if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS) return index;
  throw InputError(fmt::format("this MPI has no parameter {}", name),
                   "force algorithms with Open MPI 4.1, or leave --algo out");
}

}  // namespace

TunedAlgorithm tuned_algorithm(CollectiveKind kind, std::string_view algorithm) {
  // Two messages at once: there is no other way.
  if (kind == SendRecv && (algorithm == "p2p" || algorithm == "direct")) return {};
  std::vector<std::string> able;
  for (const Entry& entry : kAlgorithms) {
    if (entry.kind != kind) continue;
    if (entry.ours == algorithm) return {parameter_of(kind), entry.number, entry.name};
    able.emplace_back(entry.ours);
  }
  if (kind == SendRecv) able = {"direct", "p2p"};
  throw InputError(
      fmt::format("Open MPI has no algorithm like '{}' for {}", algorithm, collective_name(kind)),
      name_hint(algorithm, able));
}

TunedAlgorithm tuned_free_choice(CollectiveKind kind) { return {parameter_of(kind), 0, ""}; }

void set_tuned_algorithm(const TunedAlgorithm& algorithm) {
  if (algorithm.parameter == nullptr) return;
  const int index = algorithm.number == 0 ? -1 : variable_index(algorithm.parameter);
  // Without the parameter nothing was ever forced.
  int known = index;
  if (known < 0 && MPI_T_cvar_get_index(algorithm.parameter, &known) != MPI_SUCCESS) return;
  MPI_T_cvar_handle handle{};
  int count = 0;
  int number = algorithm.number;
  mpi_call(MPI_T_cvar_handle_alloc(known, nullptr, &handle, &count), "MPI_T_cvar_handle_alloc");
  const int written = MPI_T_cvar_write(handle, &number);
  MPI_T_cvar_handle_free(&handle);
  mpi_call(written, "MPI_T_cvar_write");
}

}  // namespace ringspan
