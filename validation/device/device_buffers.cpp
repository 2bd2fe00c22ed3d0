#include "validation/device/device_buffers.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/input_error.h"

namespace ringspan {

namespace {

std::byte* allocate(std::int64_t bytes, CallPlace place) {
  void* memory = nullptr;
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 16));
  cuda_call(cudaMalloc(&memory, size), "cudaMalloc", place);
  return static_cast<std::byte*>(memory);
}

}  // namespace

DeviceBuffers::~DeviceBuffers() { release(); }

DeviceBuffers::DeviceBuffers(DeviceBuffers&& other) noexcept
    : place_(other.place_),
      layout_(other.layout_),
      in_place_(other.in_place_),
      send_(std::exchange(other.send_, nullptr)),
      receive_(std::exchange(other.receive_, nullptr)) {}

void DeviceBuffers::release() {
  cudaSetDevice(place_.device);
  cudaFree(std::exchange(send_, nullptr));
  cudaFree(std::exchange(receive_, nullptr));
}

void DeviceBuffers::shape(const BufferLayout& layout, bool in_place) {
  release();
  layout_ = layout;
  in_place_ = in_place;
  const std::int64_t needed = in_place ? layout.in_place() : layout.send + layout.receive;
  std::size_t free = 0;
  std::size_t total = 0;
  cuda_call(cudaMemGetInfo(&free, &total), "cudaMemGetInfo", place_);
  if (static_cast<double>(needed) > static_cast<double>(free)) {
    throw InputError(
        fmt::format("the buffers of rank {} need {:.3g} GB, and {:.3g} GB of GPU {} are free",
                    place_.rank, static_cast<double>(needed) / 1e9, static_cast<double>(free) / 1e9,
                    place_.device),
        "give a smaller size");
  }
  receive_ = allocate(in_place ? layout.in_place() : layout.receive, place_);
  if (!in_place) send_ = allocate(layout.send, place_);
}

std::byte* DeviceBuffers::input() const { return in_place_ ? receive_ + layout_.send_at : send_; }

std::byte* DeviceBuffers::output() const {
  return in_place_ ? receive_ + layout_.receive_at : receive_;
}

void DeviceBuffers::write_input(std::span<const std::byte> bytes) const {
  cuda_call(cudaSetDevice(place_.device), "cudaSetDevice", place_);
  cuda_call(cudaMemcpy(input(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy",
            place_);
}

void DeviceBuffers::write_output(std::span<const std::byte> bytes) const {
  cuda_call(cudaSetDevice(place_.device), "cudaSetDevice", place_);
  cuda_call(cudaMemcpy(output(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy",
            place_);
}

void DeviceBuffers::read_output(std::span<std::byte> bytes) const {
  cuda_call(cudaSetDevice(place_.device), "cudaSetDevice", place_);
  cuda_call(cudaMemcpy(bytes.data(), output(), bytes.size(), cudaMemcpyDeviceToHost), "cudaMemcpy",
            place_);
}

}  // namespace ringspan
