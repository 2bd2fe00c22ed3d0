#include "validation/device/device_session.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nccl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "sim/base/input_error.h"
#include "validation/device/nccl_backend.h"
#include "validation/replay/partial_results.h"
#include "validation/replay/replay_facts.h"
#include "validation/replay/replay_options.h"
#include "validation/replay/replay_output.h"

namespace ringspan {

namespace {

constexpr const char* kProgram = "ringspan-replay";

constexpr std::array<std::string_view, 3> kEnvironment = {"NCCL_*", "CUDA_VISIBLE_DEVICES",
                                                          "CUDA_DEVICE_ORDER"};

int usable_gpus() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  throw InputError(
      fmt::format("no GPU can be used: {}",
                  status == cudaSuccess ? "CUDA finds none" : cudaGetErrorString(status)),
      "run it where there is an NVIDIA GPU with its driver; ringspan-replay-hosts measures "
      "without");
}

// 22809 -> "2.28.9"
std::string version_of_code(int code) {
  return fmt::format("{}.{}.{}", code / 10000, code / 100 % 100, code % 100);
}

// 13000 -> "13.0"
std::string cuda_version(int code) { return fmt::format("{}.{}", code / 1000, code % 1000 / 10); }

std::vector<ReplayRank> describe_gpus(int gpus) {
  std::vector<ReplayRank> ranks;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    cudaDeviceProp properties{};
    cuda_call(cudaGetDeviceProperties(&properties, gpu), "cudaGetDeviceProperties", {gpu, gpu});
    char bus[32] = "-";
    cuda_call(cudaDeviceGetPCIBusId(bus, sizeof bus, gpu), "cudaDeviceGetPCIBusId", {gpu, gpu});
    std::string place(bus);
    std::transform(place.begin(), place.end(), place.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    ranks.push_back({0, static_cast<int>(::getpid()), gpu, std::move(place), properties.name});
  }
  return ranks;
}

void append_versions(ReplayReport& report) {
  int driver = 0;
  int runtime = 0;
  int nccl = 0;
  cuda_call(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  cuda_call(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  nccl_call(ncclGetVersion(&nccl), "ncclGetVersion");
  report.nccl = version_of_code(nccl);
  report.library = "NCCL " + report.nccl;
  report.facts.emplace_back("nccl", report.nccl);
  report.facts.emplace_back("cuda_runtime", cuda_version(runtime));
  report.facts.emplace_back("cuda_driver", cuda_version(driver));
  int kilohertz = 0;
  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0) == cudaSuccess) {
    report.facts.emplace_back("gpu_clock_mhz", std::to_string(kilohertz / 1000));
  }
  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrMemoryClockRate, 0) == cudaSuccess) {
    report.facts.emplace_back("memory_clock_mhz", std::to_string(kilohertz / 1000));
  }
}

}  // namespace

int run_device_session(std::span<const std::string> arguments) {
  const auto is_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (std::any_of(arguments.begin(), arguments.end(), is_help)) {
    Output("").write(replay_help(kProgram, true));
    return 0;
  }
  const ReplayRequest request = read_replay_request(arguments, usable_gpus(), true);
  require_device_plan(request.plan);
  const Output checked(request.output);
  for (const std::string& note : request.notes) write_message(note);
  force_nccl_choices(request.plan);

  ReplayReport report;
  report.program = kProgram;
  report.system = request.system;
  report.case_name = request.case_name;
  report.plan = request.plan;
  report.timing = request.settings.timing;
  report.ranks = describe_gpus(request.plan.ranks);
  report.facts = machine_facts();
  append_versions(report);
  report.environment = listed_environment(kEnvironment);

  std::string failure;
  const InterruptWatch watch;
  try {
    NcclBackend backend(request.plan.ranks);
    PartialResults partial(request.timeout, watch, [&](const ReplayReport& so_far) {
      write_replay_results(request, so_far);
    });
    run_replay(report, request.settings, backend, [&](const ReplayReport& so_far) {
      partial.update(so_far);
      return watch.interrupted();
    });
  } catch (const std::exception& error) {
    // An InputError says "error:" itself.
    const bool ours = dynamic_cast<const InputError*>(&error) != nullptr;
    failure = (ours ? "" : "error: ") + std::string(error.what());
    drop_unmeasured_rows(report);
    report.ended_early = "a size could not be measured";
  }
  return finish_replay(request, report, failure);
}

}  // namespace ringspan
