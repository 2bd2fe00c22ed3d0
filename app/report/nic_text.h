#pragma once

// Which NICs the GPUs of a cluster use, and where they are plugged in.

#include <string>

#include "models/nccl/transport.h"
#include "topologies/fabrics/cluster.h"

namespace ringspan {

// Per kind of domain and GPU: its NICs, how far they are, GPUDirect or staged. Requires several
// domains.
void append_nics(const Cluster& cluster, const Transport& transport, std::string& text);

// Per rail: the switches its NICs hang on. Requires a fabric.
void append_rails(const Fabric& fabric, std::string& text);

}  // namespace ringspan
