// ringspan-replay: measures collectives over NCCL on the GPUs of one machine. Code flow:
//   main.cpp               exceptions to messages and exit codes
//   device_session.cpp     options and GPUs -> the plan is run -> results
//   nccl_backend.cpp       communicators, streams, buffers; nccl_collectives.cpp: the calls

#include <signal.h>

#include <exception>
#include <string>
#include <vector>

#include "app/cli/output.h"
#include "sim/base/input_error.h"
#include "validation/device/device_calls.h"
#include "validation/device/device_session.h"

int main(int argc, char** argv) {
  using namespace ringspan;
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  ::signal(SIGPIPE, SIG_IGN);
  try {
    return run_device_session(arguments);
  } catch (const InputError& error) {
    write_message(error.what());
    return 2;
  } catch (const DeviceError& error) {
    write_message(std::string("error: ") + error.what());
    return 2;
  } catch (const OutputClosed&) {
    return 2;
  } catch (const std::exception& error) {
    write_message(std::string("internal error: ") + error.what());
    return 1;
  }
}
