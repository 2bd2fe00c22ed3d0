#include "models/nccl/kernel_shape.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ringspan {

namespace {

// Bytes of the whole vector that a thread must have to be worth starting.
std::int64_t bytes_per_thread(std::string_view algorithm, Protocol protocol, int ranks) {
  switch (protocol) {
    case Protocol::LL:
      return algorithm == "ring" ? 8LL * ranks : 8;
    case Protocol::LL128:
      return 8;
    case Protocol::Simple:
      return 64;
  }
  return 64;
}

}  // namespace

KernelShape kernel_shape(std::string_view algorithm, Protocol protocol, int ranks, Bytes size,
                         int channels) {
  RINGSPAN_CHECK(channels >= 1, "a kernel has a channel");
  if (algorithm != "ring" && algorithm != "tree") return {channels, 0};
  const std::int64_t threads = protocol == Protocol::LL128 ? 640 : 512;
  const std::int64_t per_channel = threads * bytes_per_thread(algorithm, protocol, ranks);
  const std::int64_t wanted = (size.count + per_channel - 1) / per_channel;
  if (wanted >= channels) return {channels, 0};
  return {static_cast<int>(std::max<std::int64_t>(wanted, 1)), per_channel};
}

int p2p_parts(const P2pMessages& messages) {
  // A chunk is 512 KiB where all are joined by NVLink, else 128 KiB.
  const std::int64_t chunk = messages.over_nvlink ? 512 << 10 : 128 << 10;
  const std::int64_t least = chunk / 8, most = chunk * 32;
  int channels = messages.channels_per_peer;
  while (channels > 1 && channels * messages.ranks > messages.channels) channels /= 2;
  const std::int64_t bytes = std::max<std::int64_t>(messages.message.count, 1);
  int parts = static_cast<int>(std::min<std::int64_t>(channels, (bytes + least - 1) / least));
  while (bytes > parts * most && 2 * parts <= messages.channels_per_peer) parts *= 2;
  return parts;
}

int busy_channels(const P2pMessages& messages, int peers) {
  const int parts = p2p_parts(messages);
  const int all = messages.ranks * parts;
  const int on_busiest = (all + messages.channels - 1) / messages.channels;
  return std::max(1, peers * parts / on_busiest);
}

bool p2p_uses_ll(const P2pMessages& messages, const NcclVersion& version) {
  constexpr std::int64_t kMost = 16 << 10;
  const bool by_part = version >= NcclVersion{2, 29};
  return messages.message.count <=
         kMost * (by_part ? p2p_parts(messages) : messages.channels_per_peer);
}

}  // namespace ringspan
