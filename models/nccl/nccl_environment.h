#pragma once

// Settings of NCCL by environment variables, as measured tables and logs name them. A value that
// NCCL could not use, or whose meaning is unknown here, is a note and never an error: the rows that
// carry it were measured all the same.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/protocol.h"
#include "sim/base/units.h"

namespace ringspan {

struct NcclEnvironment {
  std::vector<std::string> algorithms;  // NCCL_ALGO: those allowed, by our names; empty: all
  std::vector<Protocol> protocols;      // NCCL_PROTO: those allowed; empty: all
  std::optional<std::string> net;       // NCCL_NET, as written: "Socket", "IB", a plugin's name
  std::optional<bool> nvls;             // NCCL_NVLS_ENABLE; 2 (where it can) is absent
  std::optional<bool> collnet;          // NCCL_COLLNET_ENABLE
  bool p2p_disabled = false;            // NCCL_P2P_DISABLE
  std::optional<int> min_channels;      // NCCL_MIN_NCHANNELS
  std::optional<int> max_channels;      // NCCL_MAX_NCHANNELS
  std::optional<Bytes> buffer;          // NCCL_BUFFSIZE, of the protocol Simple
  std::vector<std::string> notes;       // what could not be used, and why
};

// Whether read_nccl_environment() knows the variable.
bool is_nccl_setting(std::string_view name);

// "NAME=value", blank-separated; later ones win.
NcclEnvironment read_nccl_environment(std::string_view text);

}  // namespace ringspan
