#pragma once

// The replay's collectives over NCCL: one process, one thread, several GPUs, as nccl-tests -g N.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "validation/device/device_buffers.h"
#include "validation/replay/reference_data.h"
#include "validation/replay/replay_run.h"

struct ncclComm;
struct CUstream_st;

namespace ringspan {

class NcclBackend final : public ReplayBackend {
 public:
  // Ranks 0 to gpus-1 on the GPUs of these numbers. Throws DeviceError.
  explicit NcclBackend(int gpus);
  ~NcclBackend() override;
  NcclBackend(const NcclBackend&) = delete;
  NcclBackend& operator=(const NcclBackend&) = delete;

  void prepare(const Plan& plan, PlanGroup group, bool in_place) override;
  std::optional<std::size_t> own_collective() const override { return own_; }
  void call() override;
  void wait() override;
  void compute(Duration /*gap*/) override {}  // require_device_plan() refuses gaps
  void barrier() override { wait(); }
  std::int64_t check() override;
  void sum(std::span<double> /*values*/) override {}  // one process has all ranks
  void most(std::span<double> /*values*/) override {}

 private:
  const std::vector<ncclComm*>& communicators(const std::vector<std::int32_t>& ranks);

  std::vector<CUstream_st*> streams_;  // by GPU
  std::map<std::vector<std::int32_t>, std::vector<ncclComm*>> made_;
  std::optional<std::size_t> own_;
  ReferenceSpec spec_;
  std::vector<std::int32_t> gpus_;  // of the current collective, in rank order
  const std::vector<ncclComm*>* current_ = nullptr;
  std::vector<DeviceBuffers> buffers_;  // by rank of the current collective
};

// Throws InputError for what this backend cannot do: collectives at once, gaps, several forced
// choices (NCCL reads NCCL_ALGO and NCCL_PROTO once), algorithms that NCCL does not have.
void require_device_plan(const Plan& plan);

// Sets NCCL_ALGO, NCCL_PROTO and NCCL_{MIN,MAX}_NCHANNELS for what the plan forces. Before NCCL
// begins.
void force_nccl_choices(const Plan& plan);

}  // namespace ringspan
