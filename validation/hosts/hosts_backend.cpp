#include "validation/hosts/hosts_backend.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <set>
#include <utility>

#include "models/collectives/datatype.h"
#include "models/collectives/rounded_size.h"
#include "sim/base/input_error.h"
#include "sim/base/memory.h"
#include "sim/base/quantity.h"
#include "validation/hosts/mpi_call.h"
#include "validation/replay/element_type.h"

namespace ringspan {

namespace {

RoundedSize size_of(const Plan& plan, const PlannedCollective& item) {
  const auto ranks = static_cast<int>(ranks_of(plan, item).size());
  return rounded_size(item.collective, item.size, dtype_size(item.dtype), ranks);
}

TunedAlgorithm algorithm_of(const PlannedCollective& item) {
  return item.algorithm ? tuned_algorithm(item.collective, *item.algorithm)
                        : tuned_free_choice(item.collective);
}

void require_apart(const Plan& plan, PlanGroup group) {
  if (group.end - group.first == 1) return;
  std::set<std::int32_t> seen;
  for (std::size_t i = group.first; i < group.end; ++i) {
    for (const std::int32_t rank : ranks_of(plan, plan.collectives[i])) {
      if (seen.insert(rank).second) continue;
      throw InputError(
          fmt::format("rank {} is in two collectives at once: over MPI a rank does one", rank),
          "give collectives that are `together` ranks of their own");
    }
  }
}

void divide(const std::string& dtype, std::span<std::byte> elements, int by) {
  const ElementType type = element_type(dtype);
  const auto step = static_cast<std::size_t>(type.bytes);
  for (std::size_t at = 0; at < elements.size(); at += step) {
    store_element(type, load_element(type, &elements[at]) / by, &elements[at]);
  }
}

}  // namespace

void require_hosts_plan(const Plan& plan, std::vector<std::string>& notes) {
  for (const PlanGroup& group : plan_groups(plan)) require_apart(plan, group);
  bool nccl_only = false;
  for (const PlannedCollective& item : plan.collectives) {
    algorithm_of(item);
    nccl_only = nccl_only || item.protocol || item.channels;
    // MPI counts in ints.
    if (size_of(plan, item).count <= std::numeric_limits<int>::max()) continue;
    throw InputError(fmt::format("{} of {} has more elements than MPI counts",
                                 collective_name(item.collective), format_size(item.size)),
                     "give a smaller size, or a larger data type");
  }
  if (nccl_only) notes.emplace_back("note: MPI has no protocols and channels: left out");
}

void HostsBackend::prepare(const Plan& plan, PlanGroup group, bool in_place) {
  own_.reset();
  std::int64_t bytes = 0;
  for (std::size_t i = group.first; i < group.end; ++i) {
    const PlannedCollective& item = plan.collectives[i];
    ompi_communicator_t* const communicator =
        groups_.communicator(ranks_of(plan, item), algorithm_of(item));
    if (communicator == nullptr) continue;
    join(plan, i, communicator);
    bytes = HostBuffers::needed(item.collective, reference_.ranks, rank_, item.root,
                                reference_.count * dtype_size(item.dtype), in_place);
  }
  require_memory(bytes);
  if (!own_) return;
  buffers_.shape(reference_.kind, reference_.ranks, rank_, reference_.root,
                 reference_.count * dtype_size(reference_.dtype), in_place);
  call_.send = buffers_.send();
  call_.receive = buffers_.receive();
}

void HostsBackend::join(const Plan& plan, std::size_t planned, ompi_communicator_t* communicator) {
  const PlannedCollective& item = plan.collectives[planned];
  own_ = planned;
  reference_ = {item.collective, item.dtype, item.op, 1, item.root, size_of(plan, item).count};
  mpi_call(MPI_Comm_rank(communicator, &rank_), "MPI_Comm_rank");
  mpi_call(MPI_Comm_size(communicator, &reference_.ranks), "MPI_Comm_size");
  const bool reduces = collective_reduces(item.collective);
  element_.emplace(item.dtype, item.op, reduces);
  divide_by_ = reduces && item.op == "avg" ? reference_.ranks : 1;
  call_ = {item.collective, communicator, &*element_, item.root, static_cast<int>(reference_.count),
           nullptr,         nullptr};
}

// On every rank the same: one that went on alone would wait for ever.
void HostsBackend::require_memory(std::int64_t bytes) const {
  const double room = static_cast<double>(available_memory_bytes());
  const double wanted = static_cast<double>(bytes) * local_ranks_;
  std::array<double, 2> worst = {wanted > room ? wanted : 0, wanted > room ? -room : -1e300};
  MPI_Allreduce(MPI_IN_PLACE, worst.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (worst[0] == 0) return;
  throw InputError(fmt::format("the buffers of a host need {:.3g} GB, and {:.3g} GB are free",
                               worst[0] / 1e9, -worst[1] / 1e9),
                   "give a smaller size, or fewer ranks on a host");
}

void HostsBackend::call() {
  if (!own_) return;
  run_host_call(call_);
  if (divide_by_ > 1) divide(reference_.dtype, buffers_.output(), divide_by_);
}

void HostsBackend::compute(Duration gap) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(gap);
  while (std::chrono::steady_clock::now() < end) {
  }
}

void HostsBackend::barrier() { mpi_call(MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"); }

std::int64_t HostsBackend::check() {
  if (!own_) return 0;
  const ReferenceData data(reference_);
  // What is not written must not look right by chance.
  std::span<std::byte> output = buffers_.output();
  std::fill(output.begin(), output.end(), std::byte{0xa5});
  data.fill(rank_, buffers_.input());
  call();
  // MPI's root of a broadcast has the vector already, where it gave it.
  const bool kept = reference_.kind == CollectiveKind::Broadcast && rank_ == reference_.root;
  return data.wrong(rank_, kept ? buffers_.input() : output);
}

void HostsBackend::sum(std::span<double> values) {
  mpi_call(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                         MPI_SUM, MPI_COMM_WORLD),
           "MPI_Allreduce");
}

void HostsBackend::most(std::span<double> values) {
  mpi_call(MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE,
                         MPI_MAX, MPI_COMM_WORLD),
           "MPI_Allreduce");
}

}  // namespace ringspan
