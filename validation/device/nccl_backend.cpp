#include "validation/device/nccl_backend.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <nccl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "models/collectives/datatype.h"
#include "models/collectives/rounded_size.h"
#include "sim/base/input_error.h"
#include "validation/device/nccl_collectives.h"

namespace ringspan {

namespace {

// Our names, and NCCL_ALGO's.
constexpr std::array<std::pair<std::string_view, const char*>, 7> kAlgorithms = {
    {{"ring", "Ring"},
     {"tree", "Tree"},
     {"nvls", "NVLS"},
     {"nvlstree", "NVLSTree"},
     {"collnetdirect", "CollnetDirect"},
     {"collnetchain", "CollnetChain"},
     {"pat", "PAT"}}};

const char* nccl_algorithm(const std::string& name) {
  for (const auto& [ours, theirs] : kAlgorithms) {
    if (ours == name) return theirs;
  }
  return nullptr;
}

const char* nccl_protocol(Protocol protocol) {
  if (protocol == Protocol::LL) return "LL";
  return protocol == Protocol::LL128 ? "LL128" : "Simple";
}

}  // namespace

void require_device_plan(const Plan& plan) {
  const PlannedCollective& first = plan.collectives.front();
  for (const PlannedCollective& item : plan.collectives) {
    if (item.together || item.gap > Duration{}) {
      throw InputError("ringspan-replay runs no collectives at once and no gaps yet",
                       "leave `together` and `gap` out of the plan");
    }
    if (item.algorithm != first.algorithm || item.protocol != first.protocol ||
        item.channels != first.channels) {
      throw InputError(
          "NCCL takes one forced algorithm, protocol and number of channels per process",
          "measure each in a run of its own");
    }
  }
  if (!first.algorithm || *first.algorithm == "p2p" ||
      nccl_algorithm(*first.algorithm) != nullptr) {
    return;
  }
  std::vector<std::string> able;
  for (const auto& [ours, theirs] : kAlgorithms) able.emplace_back(ours);
  throw InputError(fmt::format("NCCL has no algorithm '{}'", *first.algorithm),
                   name_hint(*first.algorithm, able));
}

void force_nccl_choices(const Plan& plan) {
  const PlannedCollective& first = plan.collectives.front();
  const char* const algorithm = first.algorithm ? nccl_algorithm(*first.algorithm) : nullptr;
  if (algorithm != nullptr) ::setenv("NCCL_ALGO", algorithm, 1);
  if (first.protocol) ::setenv("NCCL_PROTO", nccl_protocol(*first.protocol), 1);
  if (!first.channels) return;
  const std::string channels = std::to_string(*first.channels);
  ::setenv("NCCL_MIN_NCHANNELS", channels.c_str(), 1);
  ::setenv("NCCL_MAX_NCHANNELS", channels.c_str(), 1);
}

NcclBackend::NcclBackend(int gpus) {
  for (int gpu = 0; gpu < gpus; ++gpu) {
    cudaStream_t stream = nullptr;
    cuda_call(cudaSetDevice(gpu), "cudaSetDevice", {gpu, gpu});
    cuda_call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate",
              {gpu, gpu});
    streams_.push_back(stream);
  }
}

NcclBackend::~NcclBackend() {
  for (auto& [ranks, communicators] : made_) {
    for (ncclComm_t communicator : communicators) ncclCommDestroy(communicator);
  }
  for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
}

const std::vector<ncclComm*>& NcclBackend::communicators(const std::vector<std::int32_t>& ranks) {
  const auto found = made_.find(ranks);
  if (found != made_.end()) return found->second;
  std::vector<ncclComm_t> made(ranks.size());
  const std::vector<int> devices(ranks.begin(), ranks.end());
  nccl_call(ncclCommInitAll(made.data(), static_cast<int>(made.size()), devices.data()),
            "ncclCommInitAll");
  return made_.emplace(ranks, std::move(made)).first->second;
}

void NcclBackend::prepare(const Plan& plan, PlanGroup group, bool in_place) {
  const PlannedCollective& item = plan.collectives[group.first];
  own_ = group.first;
  gpus_ = ranks_of(plan, item);
  current_ = &communicators(gpus_);
  const int ranks = static_cast<int>(gpus_.size());
  const int element = dtype_size(item.dtype);
  const RoundedSize size = rounded_size(item.collective, item.size, element, ranks);
  spec_ = {item.collective, item.dtype, item.op, ranks, item.root, size.count};
  buffers_.clear();
  for (int rank = 0; rank < ranks; ++rank) {
    const CallPlace place{rank, gpus_[static_cast<std::size_t>(rank)]};
    cuda_call(cudaSetDevice(place.device), "cudaSetDevice", place);
    buffers_.emplace_back(place).shape(
        buffer_layout(item.collective, ranks, rank, item.root, size.count * element), in_place);
  }
}

void NcclBackend::call() {
  nccl_call(ncclGroupStart(), "ncclGroupStart");
  for (std::size_t rank = 0; rank < gpus_.size(); ++rank) {
    const CallPlace place{static_cast<int>(rank), gpus_[rank]};
    start_nccl_call({&spec_, place, buffers_[rank].input(), buffers_[rank].output(),
                     (*current_)[rank], streams_[static_cast<std::size_t>(place.device)]});
  }
  nccl_call(ncclGroupEnd(), "ncclGroupEnd");
}

// Asks NCCL as well: after an error a stream may never end.
void NcclBackend::wait() {
  for (std::size_t rank = 0; rank < gpus_.size(); ++rank) {
    const CallPlace place{static_cast<int>(rank), gpus_[rank]};
    while (true) {
      const cudaError_t status = cudaStreamQuery(streams_[static_cast<std::size_t>(place.device)]);
      if (status == cudaSuccess) break;
      if (status != cudaErrorNotReady) cuda_call(status, "cudaStreamQuery", place);
      ncclResult_t result = ncclSuccess;
      nccl_call(ncclCommGetAsyncError((*current_)[rank], &result), "ncclCommGetAsyncError", place);
      if (result != ncclInProgress) nccl_call(result, "a call of NCCL", place);
    }
  }
}

std::int64_t NcclBackend::check() {
  const ReferenceData data(spec_);
  const std::int64_t share = spec_.count * dtype_size(spec_.dtype);
  const auto layout_of = [&](int rank) {
    return buffer_layout(spec_.kind, spec_.ranks, rank, spec_.root, share);
  };
  for (int rank = 0; rank < spec_.ranks; ++rank) {
    const BufferLayout layout = layout_of(rank);
    // What is not written must not look right by chance.
    const std::vector<std::byte> nothing(static_cast<std::size_t>(layout.receive), std::byte{0xa5});
    std::vector<std::byte> input(static_cast<std::size_t>(layout.send));
    data.fill(rank, input);
    buffers_[static_cast<std::size_t>(rank)].write_output(nothing);
    buffers_[static_cast<std::size_t>(rank)].write_input(input);
  }
  call();
  wait();
  std::int64_t wrong = 0;
  for (int rank = 0; rank < spec_.ranks; ++rank) {
    std::vector<std::byte> output(static_cast<std::size_t>(layout_of(rank).receive));
    buffers_[static_cast<std::size_t>(rank)].read_output(output);
    wrong += data.wrong(rank, output);
  }
  return wrong;
}

}  // namespace ringspan
