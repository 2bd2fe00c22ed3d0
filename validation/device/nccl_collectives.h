#pragma once

#include <cstddef>

#include "validation/device/device_calls.h"
#include "validation/replay/reference_data.h"

struct ncclComm;
struct CUstream_st;

namespace ringspan {

// One rank's part in one call, between ncclGroupStart and ncclGroupEnd.
struct NcclCall {
  const ReferenceSpec* spec = nullptr;  // kind, type, reduction, ranks, root, count
  CallPlace place;                      // rank: of the communicator
  const std::byte* send = nullptr;
  std::byte* receive = nullptr;
  ncclComm* communicator = nullptr;
  CUstream_st* stream = nullptr;
};

// alltoall, gather, scatter and sendrecv are grouped sends and receives, as in nccl-tests. Throws
// DeviceError, and InputError for a data type that this NCCL does not have.
void start_nccl_call(const NcclCall& call);

}  // namespace ringspan
