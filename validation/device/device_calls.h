#pragma once

// CUDA's and NCCL's status codes as exceptions that name the call, the rank, the device and the
// text.

#include <stdexcept>
#include <string>

namespace ringspan {

class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The rank that a call is for, and its GPU.
struct CallPlace {
  int rank = 0;
  int device = 0;
};

// `status`: a cudaError_t or an ncclResult_t. Throws DeviceError where it is not success.
void cuda_call(int status, const char* call, CallPlace place = {-1, -1});
void nccl_call(int status, const char* call, CallPlace place = {-1, -1});

}  // namespace ringspan
