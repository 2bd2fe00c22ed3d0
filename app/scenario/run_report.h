#pragma once

// What `ringspan run` found out: plain data, printed by app/report, compared by tests.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/collective.h"
#include "models/collectives/protocol.h"
#include "models/cost/prediction_interval.h"
#include "sim/base/units.h"

namespace ringspan {

enum class Granularity { Stream, Chunk };
enum class NetworkKind { Fluid, Queueing };

std::string_view granularity_name(Granularity granularity);  // "stream", "chunk"
std::string_view network_name(NetworkKind network);          // "fluid", "queueing"

// The load one collective puts on one resource (a link, a bundle of links, a copy limit).
struct ResourceLoad {
  std::string name;        // "gpu0 -> nvswitch (18 x nvlink4)", "psw0 -> cpu0 (pcie4 x16)"
  std::string link_class;  // "nvlink", "pcie", "socket", or "channel" for a kernel's own rate limit
  double bytes = 0;        // on the wire, this direction
  double rate = 0;         // bytes per second it could carry of this traffic (less when staged)
  double utilisation = 0;  // bytes / (rate x time), 0..1
};

// What NCCL's tuner says of an algorithm and protocol: the entries of its table, which hold for
// every size, and its own estimate at this size. It predicts what NCCL picks, not what that takes.
struct TunerEstimate {
  double latency_us = 0;
  double algbw_gbs = 0;
  double time_us = 0;
};

struct Candidate {
  std::string algorithm;
  Protocol protocol = Protocol::Simple;
  int channels = 0;
  Duration predicted{};
  bool picked = false;
  std::optional<TunerEstimate> tuner;  // absent: not NCCL's tuner that picks, or barred there
  std::string bar;                     // why NCCL's tuner does not use it; empty: it may
};

// One class of GPU pairs that the algorithm's transfers use.
struct PathClassUse {
  // "NVSwitch", "socket, staged through cpu1"; between domains "network, one rail, 1 switch".
  std::string kind;
  int pairs = 0;           // counted among the first 100,000 pairs that transfers use
  double payload_gbs = 0;  // of one transfer alone
  Duration latency{};
  std::string example;  // "gpu0 -> nvswitch0 -> gpu1"
  std::string reason;   // staged: why
};

// One size of one collective on one system: a row of the table.
struct RunRow {
  std::int64_t bytes = 0;  // nccl-tests' size column, after its rounding
  std::int64_t count = 0;  // nccl-tests' count column, in elements
  std::string algorithm;
  Protocol protocol = Protocol::Simple;
  int channels = 1;
  Granularity granularity = Granularity::Chunk;
  Duration time{};  // out of place
  Duration time_in_place{};
  double algbw_gbs = 0, busbw_gbs = 0;  // out of place
  double algbw_in_place_gbs = 0, busbw_in_place_gbs = 0;

  std::string bottleneck;             // what limits it: a resource's name, or "latency"
  double bottleneck_utilisation = 0;  // of that resource; of the busiest one for "latency"
  Duration lower_bound{};             // no algorithm on this fabric can be faster
  std::string lower_bound_reason;     // which cut or port gives it
  // What the profile's fit says of `time`; absent: no fit has seen anything like it.
  std::optional<PredictionInterval> interval;
  bool extrapolated = true;  // outside what the profile was fitted to

  // For --explain.
  std::int64_t rank_send_bytes = 0;  // payload bytes the busiest rank sends
  std::int64_t chunk_bytes = 0;      // largest chunk, payload
  std::int64_t slice_bytes = 0;
  std::int64_t loops = 0;
  std::int64_t operations = 0;      // operations or slices run, all channels
  std::int64_t events = 0;          // engine events
  std::int64_t memory_bytes = 0;    // estimated before the run
  std::vector<ResourceLoad> loads;  // busiest first
  std::vector<Candidate> candidates;
  std::vector<std::string> notes;  // "larger than a GPU's memory (80 GiB)"
};

// The GPU of a rank.
struct RankDevice {
  std::string name;  // "gpu0"; "server3.gpu0" where there are several servers
  int number = 0;    // among its server's GPUs
};

struct RunReport {
  std::string system;
  std::string system_description;
  int nodes = 1;
  int domains = 1;  // of NVLink, that the ranks span: what NCCL calls nodes
  int gpus = 1;
  std::string gpu_model;
  std::string profile;
  std::string nccl;  // version whose constants the profile carries
  std::uint64_t seed = 0;
  int iterations = 1;  // calls in a row that the times are means of
  CollectiveKind collective = CollectiveKind::AllReduce;
  std::string dtype;  // "float"
  std::string op;     // "sum", or "none"
  int root = -1;      // -1 where it has no meaning
  NetworkKind network = NetworkKind::Fluid;
  std::vector<RankDevice> rank_devices;  // in rank order: all, or the first few of very many
  std::vector<PathClassUse> paths;
  std::vector<RunRow> rows;  // ascending sizes; fewer than asked for when interrupted
  std::vector<std::string> warnings;
  bool interrupted = false;
  std::string stalled;  // who waits for what, if a run could not go on; the rows before it stand
};

}  // namespace ringspan
