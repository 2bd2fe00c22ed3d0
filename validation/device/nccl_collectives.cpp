#include "validation/device/nccl_collectives.h"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <array>
#include <string>
#include <utility>

#include "models/collectives/datatype.h"
#include "sim/base/input_error.h"

namespace ringspan {

namespace {

ncclDataType_t type_of(const std::string& dtype) {
  static const std::array kTypes = {
    std::pair{"int8", ncclInt8},
    std::pair{"uint8", ncclUint8},
    std::pair{"int32", ncclInt32},
    std::pair{"uint32", ncclUint32},
    std::pair{"int64", ncclInt64},
    std::pair{"uint64", ncclUint64},
    std::pair{"half", ncclFloat16},
    std::pair{"float", ncclFloat32},
    std::pair{"double", ncclFloat64},
    std::pair{"bfloat16", ncclBfloat16},
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 24, 0)
    std::pair{"f8e4m3", ncclFloat8e4m3},
    std::pair{"f8e5m2", ncclFloat8e5m2},
#endif
  };
  for (const auto& [name, type] : kTypes) {
    if (name == dtype) return type;
  }
  throw InputError("this NCCL has no " + dtype, "f8 types need NCCL 2.24 or newer");
}

ncclRedOp_t op_of(const std::string& op) {
  if (op == "prod") return ncclProd;
  if (op == "min") return ncclMin;
  if (op == "max") return ncclMax;
  return op == "avg" ? ncclAvg : ncclSum;
}

// The sends and receives of one rank.
class Messages {
 public:
  explicit Messages(const NcclCall& call)
      : call_(call),
        type_(type_of(call.spec->dtype)),
        count_(static_cast<std::size_t>(call.spec->count)),
        bytes_(count_ * static_cast<std::size_t>(dtype_size(call.spec->dtype))) {}

  // Block `block` of the input to `peer`.
  void send(int peer, int block) const {
    nccl_call(ncclSend(call_.send + bytes_ * static_cast<std::size_t>(block), count_, type_, peer,
                       call_.communicator, call_.stream),
              "ncclSend", call_.place);
  }
  void receive(int peer, int block) const {
    nccl_call(ncclRecv(call_.receive + bytes_ * static_cast<std::size_t>(block), count_, type_,
                       peer, call_.communicator, call_.stream),
              "ncclRecv", call_.place);
  }

 private:
  const NcclCall& call_;
  ncclDataType_t type_;
  std::size_t count_, bytes_;
};

void start_messages(const NcclCall& call) {
  const Messages messages(call);
  const int ranks = call.spec->ranks;
  const int rank = call.place.rank;
  const int root = call.spec->root;
  switch (call.spec->kind) {
    case CollectiveKind::AllToAll:
      for (int peer = 0; peer < ranks; ++peer) {
        messages.send(peer, peer);
        messages.receive(peer, peer);
      }
      return;
    case CollectiveKind::Gather:
      messages.send(root, 0);
      for (int peer = 0; rank == root && peer < ranks; ++peer) messages.receive(peer, peer);
      return;
    case CollectiveKind::Scatter:
      messages.receive(root, 0);
      for (int peer = 0; rank == root && peer < ranks; ++peer) messages.send(peer, peer);
      return;
    default:  // sendrecv
      messages.send((rank + 1) % ranks, 0);
      messages.receive((rank + ranks - 1) % ranks, 0);
  }
}

}  // namespace

void start_nccl_call(const NcclCall& call) {
  const ReferenceSpec& spec = *call.spec;
  const auto count = static_cast<std::size_t>(spec.count);
  const ncclDataType_t type = type_of(spec.dtype);
  const ncclRedOp_t op = op_of(spec.op);
  ncclComm_t const comm = call.communicator;
  cudaStream_t const stream = call.stream;
  switch (spec.kind) {
    case CollectiveKind::AllReduce:
      return nccl_call(ncclAllReduce(call.send, call.receive, count, type, op, comm, stream),
                       "ncclAllReduce", call.place);
    case CollectiveKind::AllGather:
      return nccl_call(ncclAllGather(call.send, call.receive, count, type, comm, stream),
                       "ncclAllGather", call.place);
    case CollectiveKind::ReduceScatter:
      return nccl_call(ncclReduceScatter(call.send, call.receive, count, type, op, comm, stream),
                       "ncclReduceScatter", call.place);
    case CollectiveKind::Broadcast:
      return nccl_call(ncclBroadcast(call.send, call.receive, count, type, spec.root, comm, stream),
                       "ncclBroadcast", call.place);
    case CollectiveKind::Reduce:
      return nccl_call(
          ncclReduce(call.send, call.receive, count, type, op, spec.root, comm, stream),
          "ncclReduce", call.place);
    default:
      return start_messages(call);
  }
}

}  // namespace ringspan
