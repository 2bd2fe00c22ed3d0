#pragma once

// Input and output of one rank in the memory of its GPU, out of place or in one buffer.

#include <cstddef>
#include <cstdint>
#include <span>

#include "validation/device/device_calls.h"
#include "validation/replay/buffer_layout.h"

namespace ringspan {

class DeviceBuffers {
 public:
  explicit DeviceBuffers(CallPlace place) : place_(place) {}
  ~DeviceBuffers();
  DeviceBuffers(DeviceBuffers&& other) noexcept;
  DeviceBuffers(const DeviceBuffers&) = delete;
  DeviceBuffers& operator=(const DeviceBuffers&) = delete;

  // Throws InputError where the GPU's memory is too small, with the figures.
  void shape(const BufferLayout& layout, bool in_place);

  std::byte* input() const;
  std::byte* output() const;
  void write_input(std::span<const std::byte> bytes) const;
  void write_output(std::span<const std::byte> bytes) const;
  void read_output(std::span<std::byte> bytes) const;

 private:
  void release();

  CallPlace place_;
  BufferLayout layout_;
  bool in_place_ = false;
  std::byte* send_ = nullptr;     // out of place only
  std::byte* receive_ = nullptr;  // in place: the one buffer
};

}  // namespace ringspan
