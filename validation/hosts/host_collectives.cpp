#include "validation/hosts/host_collectives.h"

#include <mpi.h>

#include <vector>

#include "validation/hosts/mpi_call.h"

namespace ringspan {

namespace {

struct Place {
  int rank = 0, ranks = 1;
};

Place place_in(MPI_Comm communicator) {
  Place place;
  MPI_Comm_rank(communicator, &place.rank);
  MPI_Comm_size(communicator, &place.ranks);
  return place;
}

// Every rank's share is alike; the form with counts has the algorithms that the other has not.
void reduce_scatter(const HostCall& call, const void* send) {
  const std::vector<int> counts(static_cast<std::size_t>(place_in(call.communicator).ranks),
                                call.count);
  mpi_call(MPI_Reduce_scatter(send, call.receive, counts.data(), call.element->type(),
                              call.element->op(), call.communicator),
           "MPI_Reduce_scatter");
}

// MPI has no other place for the root's vector than the one buffer.
void broadcast(const HostCall& call) {
  const bool is_root = place_in(call.communicator).rank == call.root;
  void* buffer = call.receive;
  if (is_root && call.send != nullptr) buffer = const_cast<std::byte*>(call.send);
  mpi_call(MPI_Bcast(buffer, call.count, call.element->type(), call.root, call.communicator),
           "MPI_Bcast");
}

void send_and_receive(const HostCall& call) {
  const auto [rank, ranks] = place_in(call.communicator);
  const int next = (rank + 1) % ranks;
  const int last = (rank + ranks - 1) % ranks;
  if (call.send == nullptr) {
    mpi_call(MPI_Sendrecv_replace(call.receive, call.count, call.element->type(), next, 0, last, 0,
                                  call.communicator, MPI_STATUS_IGNORE),
             "MPI_Sendrecv_replace");
    return;
  }
  mpi_call(
      MPI_Sendrecv(call.send, call.count, call.element->type(), next, 0, call.receive, call.count,
                   call.element->type(), last, 0, call.communicator, MPI_STATUS_IGNORE),
      "MPI_Sendrecv");
}

// In place only the root says so.
void gather(const HostCall& call) {
  const auto [rank, ranks] = place_in(call.communicator);
  const void* send = call.send != nullptr ? call.send : call.receive;
  if (call.send == nullptr && rank == call.root) send = MPI_IN_PLACE;
  mpi_call(MPI_Gather(send, call.count, call.element->type(), call.receive, call.count,
                      call.element->type(), call.root, call.communicator),
           "MPI_Gather");
}

void scatter(const HostCall& call) {
  const auto [rank, ranks] = place_in(call.communicator);
  const void* send = call.send != nullptr ? call.send : call.receive;
  void* receive = call.receive;
  if (call.send == nullptr && rank == call.root) receive = MPI_IN_PLACE;
  mpi_call(MPI_Scatter(send, call.count, call.element->type(), receive, call.count,
                       call.element->type(), call.root, call.communicator),
           "MPI_Scatter");
}

void reduce(const HostCall& call) {
  const bool is_root = place_in(call.communicator).rank == call.root;
  const void* send = call.send != nullptr ? call.send : call.receive;
  if (call.send == nullptr && is_root) send = MPI_IN_PLACE;
  mpi_call(MPI_Reduce(send, call.receive, call.count, call.element->type(), call.element->op(),
                      call.root, call.communicator),
           "MPI_Reduce");
}

}  // namespace

void run_host_call(const HostCall& call) {
  const void* const send = call.send != nullptr ? call.send : MPI_IN_PLACE;
  MPI_Datatype const type = call.element->type();
  switch (call.kind) {
    case CollectiveKind::AllReduce:
      return mpi_call(MPI_Allreduce(send, call.receive, call.count, type, call.element->op(),
                                    call.communicator),
                      "MPI_Allreduce");
    case CollectiveKind::AllGather:
      return mpi_call(
          MPI_Allgather(send, call.count, type, call.receive, call.count, type, call.communicator),
          "MPI_Allgather");
    case CollectiveKind::AllToAll:
      return mpi_call(
          MPI_Alltoall(send, call.count, type, call.receive, call.count, type, call.communicator),
          "MPI_Alltoall");
    case CollectiveKind::ReduceScatter:
      return reduce_scatter(call, send);
    case CollectiveKind::Broadcast:
      return broadcast(call);
    case CollectiveKind::Reduce:
      return reduce(call);
    case CollectiveKind::Gather:
      return gather(call);
    case CollectiveKind::Scatter:
      return scatter(call);
    case CollectiveKind::SendRecv:
      return send_and_receive(call);
  }
}

}  // namespace ringspan
