#include "validation/hosts/host_buffers.h"

#include <algorithm>

#include "validation/replay/buffer_layout.h"

namespace ringspan {

namespace {

// MPI's place for parts in one buffer, where it is not NCCL's: the result of a reduce_scatter
// begins the buffer.
BufferLayout mpi_layout(CollectiveKind kind, int ranks, int rank, int root, std::int64_t share) {
  BufferLayout layout = buffer_layout(kind, ranks, rank, root, share);
  if (kind == CollectiveKind::ReduceScatter) layout.receive_at = 0;
  return layout;
}

void grow(std::vector<std::byte>& buffer, std::int64_t bytes) {
  // One byte at least: MPI is given an address also where nothing is moved.
  const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  if (buffer.size() < wanted) buffer.resize(wanted);
}

}  // namespace

std::int64_t HostBuffers::needed(CollectiveKind kind, int ranks, int rank, int root,
                                 std::int64_t share_bytes, bool in_place) {
  const BufferLayout layout = mpi_layout(kind, ranks, rank, root, share_bytes);
  return in_place ? layout.in_place() : layout.send + layout.receive;
}

void HostBuffers::shape(CollectiveKind kind, int ranks, int rank, int root,
                        std::int64_t share_bytes, bool in_place) {
  const BufferLayout layout = mpi_layout(kind, ranks, rank, root, share_bytes);
  in_place_ = in_place;
  send_bytes_ = layout.send;
  receive_bytes_ = layout.receive;
  send_at_ = layout.send_at;
  receive_at_ = layout.receive_at;
  grow(receive_, in_place ? layout.in_place() : layout.receive);
  if (!in_place) grow(send_, layout.send);
}

std::span<std::byte> HostBuffers::input() {
  std::byte* const from = in_place_ ? receive_.data() + send_at_ : send_.data();
  return {from, static_cast<std::size_t>(send_bytes_)};
}

std::span<std::byte> HostBuffers::output() {
  std::byte* const from = in_place_ ? receive_.data() + receive_at_ : receive_.data();
  return {from, static_cast<std::size_t>(receive_bytes_)};
}

const std::byte* HostBuffers::send() const { return in_place_ ? nullptr : send_.data(); }

std::byte* HostBuffers::receive() { return receive_.data(); }

}  // namespace ringspan
