#include "app/cli/run_options.h"

#include <array>

namespace ringspan {

namespace {

constexpr std::array kOptions = {
    OptionSpec{"-b", "MIN",
               "Smallest size, in bytes or with a unit: K M G T (and KiB ... TiB) are binary,\n"
               "KB MB GB TB decimal. Means what nccl-tests' size column means for the\n"
               "collective. 0 prints one row and goes on from 8.\n"
               "Default: 8. Example: -b 64K"},
    OptionSpec{"-e", "MAX",
               "Largest size, in units as -b; at most 2^62 bytes.\n"
               "Default: 1G, or MIN where that is larger. Example: -e 8G"},
    OptionSpec{"-f", "FACTOR",
               "Each size is the last one times this, a number above 1 without unit; a result\n"
               "that is no whole number of bytes is rounded. Default: 2. Example: -f 1.5"},
    OptionSpec{"--gpus", "N",
               "GPUs that take part (ranks), in all: servers are filled in order. With --nodes,\n"
               "N/M of each of the M servers. The system's fabric grows to the servers needed.\n"
               "Default: all GPUs of the servers. Example: --gpus 64"},
    OptionSpec{
        "--nodes", "M",
        "Servers that take part (compute trays, in a rack of NVLink): the first M. The\n"
        "system's fabric grows to them, as far as its ports reach.\n"
        "Default: as many as --gpus needs, else the system's own number. Example: --nodes 8"},
    OptionSpec{"--set", "KEY=VALUE",
               "Changes one value of the system's file before it is read: a key with dots, array\n"
               "tables counted from 0. Can be given several times. Default: nothing is changed.\n"
               "Example: --set node.peer_to_peer=off",
               '\0', true},
    OptionSpec{"--dtype", "TYPE",
               "Data type: int8 uint8 int32 uint32 int64 uint64 half float double bfloat16\n"
               "f8e4m3 f8e5m2. Sizes are rounded down to whole elements.\n"
               "Default: float. Example: --dtype bfloat16"},
    OptionSpec{"--op", "OP",
               "Reduction: sum prod min max avg. Printed only: it does not change a time.\n"
               "Default: sum. Example: --op max"},
    OptionSpec{"--root", "R",
               "Root of broadcast, reduce, gather and scatter: a rank, from 0.\n"
               "Default: 0. Example: --root 3"},
    OptionSpec{"--algo", "A",
               "Forces an algorithm ('ringspan list algorithms'). Default: for each size\n"
               "what NCCL's tuner picks. Example: --algo ring"},
    OptionSpec{"--proto", "P",
               "Forces a protocol: ll, ll128 or simple.\n"
               "Default: for each size what NCCL picks. Example: --proto simple"},
    OptionSpec{"--channels", "C",
               "Forces the number of channels. Default: what the search finds on the system.\n"
               "Example: --channels 8"},
    OptionSpec{"--profile", "FILE",
               "Cost constants: a name ('ringspan list profiles') or a file. Default: the\n"
               "built-in one of the GPU's generation. Example: --profile ./my-profile.toml"},
    OptionSpec{"--nccl", "VERSION",
               "The version of NCCL whose choices are modelled: X.Y or X.Y.Z; older than 2.18 is\n"
               "taken as 2.18. Default: the newest known, 2.30.7. Example: --nccl 2.27.3"},
    OptionSpec{"--launch", "MODE",
               "How the ranks of a server are run: processes (one per GPU), threads (one per GPU)\n"
               "or single-process (one thread drives all GPUs, as nccl-tests -g 8: its launches\n"
               "are serial). Default: processes. Example: --launch single-process"},
    OptionSpec{"--env", "SETTINGS",
               "NCCL's environment variables, blank-separated: NCCL_ALGO, NCCL_PROTO,\n"
               "NCCL_NVLS_ENABLE, NCCL_COLLNET_ENABLE, NCCL_MIN_NCHANNELS, NCCL_MAX_NCHANNELS,\n"
               "NCCL_BUFFSIZE, NCCL_P2P_DISABLE (PCIe). Others are noted. Default: none.\n"
               "Example: --env \"NCCL_ALGO=Ring,Tree NCCL_BUFFSIZE=8388608\""},
    OptionSpec{"--iters", "N",
               "Calls in a row that a time is the mean of, as nccl-tests -n: the next broadcast\n"
               "or reduce begins while the last one is still on its way. 1: a call by itself.\n"
               "Default: 20. Example: --iters 1"},
    OptionSpec{"--seed", "S",
               "Seed of the hashes by which switches spread flows (routing ecmp), where the\n"
               "system's file names none: a whole number from 0 to 2^63 - 1.\n"
               "Default: 0. Example: --seed 7"},
    OptionSpec{
        "--concurrent", "JOBS",
        "Several collectives at once, in place of COLLECTIVE: [COLLECTIVE][:SIZE]@RANKS with\n"
        "commas in between; RANKS are 3, 0-7, 0-56/8 (every 8th), joined by +. Or a TOML\n"
        "file with start times and dependencies (docs/jobs.md). They share links; each\n"
        "one's time is printed beside its time alone. Default: one collective.\n"
        "Example: --concurrent \"all_reduce@0-7,all_gather@8-15\""},
    OptionSpec{"--granularity", "G",
               "stream: one coupled flow per channel and phase; chunk: every slice is an event;\n"
               "auto: chunk where the number of operations allows it.\n"
               "Default: auto. Example: --granularity stream"},
    OptionSpec{"--network", "N",
               "Network under chunk: fluid (max-min shares) or queueing (segments in queues).\n"
               "Default: fluid. Example: --network queueing"},
    OptionSpec{"--format", "F",
               "table (nccl-tests' layout), csv or json. Times are in microseconds, rates in\n"
               "GB/s (10^9 bytes per second). Default: table. Example: --format csv"},
    OptionSpec{"--output", "FILE",
               "Writes the results there, whole or not at all, and replaces what was there.\n"
               "Default: standard output. Example: -o results.csv",
               'o'},
    OptionSpec{"--trace", "FILE",
               "Writes the run as Chrome's trace events, which Perfetto opens: ranks, slices or\n"
               "phases, the busiest links over time. For one size. Default: off.\n"
               "Example: -b 64M -e 64M --trace run.json"},
    OptionSpec{"--explain", "",
               "Says what was picked, which paths the bytes take, what limits the run and how\n"
               "far it is from the lower bound: after a table, on standard error with csv, as\n"
               "`candidates` in json. Default: off. Example: --explain"},
    OptionSpec{"--emit-tuner", "FILE",
               "Writes the algorithm, protocol and channels of the least predicted time, size by\n"
               "size, as NCCL's example tuner plugin reads it (docs/output.md). Default: off.\n"
               "Example: --emit-tuner nccl_tuner.conf"},
    OptionSpec{"--emit-plan", "FILE",
               "Writes what is simulated as a plan that ringspan-replay and ringspan-replay-hosts\n"
               "measure (docs/plans.md). Default: off. Example: --emit-plan plan.toml"}};

}  // namespace

std::span<const OptionSpec> run_option_specs() { return kOptions; }

}  // namespace ringspan
