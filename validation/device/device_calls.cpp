#include "validation/device/device_calls.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nccl.h>

namespace ringspan {

namespace {

std::string of_place(CallPlace place) {
  return place.rank < 0 ? "" : fmt::format(" on rank {}, GPU {}", place.rank, place.device);
}

}  // namespace

void cuda_call(int status, const char* call, CallPlace place) {
  if (status == cudaSuccess) return;
  throw DeviceError(fmt::format("{} failed{}: {}", call, of_place(place),
                                cudaGetErrorString(static_cast<cudaError_t>(status))));
}

void nccl_call(int status, const char* call, CallPlace place) {
  if (status == ncclSuccess) return;
  const char* const last = ncclGetLastError(nullptr);
  throw DeviceError(fmt::format("{} failed{}: {}{}{}", call, of_place(place),
                                ncclGetErrorString(static_cast<ncclResult_t>(status)),
                                last != nullptr && *last != '\0' ? ": " : "",
                                last != nullptr ? last : ""));
}

}  // namespace ringspan
