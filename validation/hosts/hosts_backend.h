#pragma once

// The replay's collectives over MPI, between buffers of the hosts.

#include <optional>

#include "validation/hosts/host_buffers.h"
#include "validation/hosts/host_collectives.h"
#include "validation/hosts/mpi_element.h"
#include "validation/hosts/mpi_groups.h"
#include "validation/replay/reference_data.h"
#include "validation/replay/replay_run.h"

namespace ringspan {

class HostsBackend final : public ReplayBackend {
 public:
  // `local_ranks`: processes on this host, which share its memory.
  explicit HostsBackend(int local_ranks) : local_ranks_(local_ranks) {}

  void prepare(const Plan& plan, PlanGroup group, bool in_place) override;
  std::optional<std::size_t> own_collective() const override { return own_; }
  void call() override;
  void wait() override {}  // MPI's collectives end with their calls
  void compute(Duration gap) override;
  void barrier() override;
  std::int64_t check() override;
  void sum(std::span<double> values) override;
  void most(std::span<double> values) override;

 private:
  void join(const Plan& plan, std::size_t planned, ompi_communicator_t* communicator);
  void require_memory(std::int64_t bytes) const;

  int local_ranks_;
  MpiGroups groups_;
  HostBuffers buffers_;
  std::optional<std::size_t> own_;
  std::optional<MpiElement> element_;
  ReferenceSpec reference_;
  int rank_ = 0;       // in the communicator
  int divide_by_ = 1;  // an average is a sum that is divided
  HostCall call_;
};

// Throws InputError where MPI cannot do what the plan asks for; `notes` says what is passed over.
void require_hosts_plan(const Plan& plan, std::vector<std::string>& notes);

}  // namespace ringspan
