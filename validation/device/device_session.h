#pragma once

#include <span>
#include <string>

namespace ringspan {

// One replay over the GPUs of this machine. Returns the exit code. Throws InputError, DeviceError.
int run_device_session(std::span<const std::string> arguments);

}  // namespace ringspan
