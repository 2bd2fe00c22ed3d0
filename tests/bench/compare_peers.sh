#!/usr/bin/env bash
# Runs ringspan_peer_bench and, where it was built, simgrid_driver on the same workloads, one after
# the other on the same machine, and prints simulated times, wall times (medians) and ratios.
#
# usage: tests/bench/compare_peers.sh [-n RUNS] [--all] [BUILD_DIR]
#   -n RUNS   runs of ours per workload, default 3; SimGrid's cases over a few seconds run once
#   --all     also SimGrid's cases that take minutes (burst and ring of 1,024 and more)
# The driver is built with: cmake --build BUILD_DIR --target simgrid_driver
set -euo pipefail

runs=3
all=no
build=build
while [ $# -gt 0 ]; do
  case "$1" in
    -n) runs=$2; shift 2 ;;
    --all) all=yes; shift ;;
    -h|--help) sed -n '2,9p' "$0"; exit 0 ;;
    -*) echo "unknown option $1; see --help" >&2; exit 2 ;;
    *) build=$1; shift ;;
  esac
done
ours="$build/tests/bench/ringspan_peer_bench"
peer="$build/tests/bench/simgrid_driver"
[ -x "$ours" ] || { echo "$ours is missing: build a Release first" >&2; exit 2; }

field() { sed -n "s/.*$1=\([0-9.]*\).*/\1/p" <<<"$2"; }

# measure RUNS COMMAND...: sets line (the last output), wall (median) and rss.
measure() {
  local count=$1 walls=() i
  shift
  for ((i = 0; i < count; ++i)); do
    line=$("$@" 2>/dev/null)
    walls+=("$(field wall_s "$line")")
  done
  wall=$(printf '%s\n' "${walls[@]}" | sort -g | sed -n "$(((count + 1) / 2))p")
  rss=$(field rss_mib "$line")
}

printf '%-44s %12s %9s %8s %12s %9s %8s %8s\n' workload sim_us wall_s rss_MiB \
  SimGrid_us wall_s rss_MiB ratio

# compare NAME PEER_RUNS OPTIONS...: PEER_RUNS 0 = ours only, "slow" = the peer once, with --all.
compare() {
  local name=$1 peer_runs=$2
  shift 2
  measure "$runs" "$ours" "$@"
  printf '%-44s %12s %9s %8s' "$name" "$(field sim_us "$line")" "$wall" "$rss"
  local our_wall=$wall
  [ "$peer_runs" != slow ] || { [ $all = yes ] && peer_runs=1 || peer_runs=0; }
  if [ "$peer_runs" != 0 ] && [ -x "$peer" ]; then
    measure "$peer_runs" "$peer" --cfg=network/model:CM02 --cfg=network/crosstraffic:0 \
      --cfg=contexts/stack-size:64 "$@"
    printf ' %12s %9s %8s %8s' "$(field sim_us "$line")" "$wall" "$rss" \
      "$(awk -v a="$wall" -v b="$our_wall" 'BEGIN { printf "%.1fx", a / b }')"
  fi
  printf '\n'
}

tree1024=(--topo=fattree --hosts=1024 --hosts-per-leaf=32 --spines=8)
tree256=(--topo=fattree --hosts=256 --hosts-per-leaf=16 --spines=4)
tree128=(--topo=fattree --hosts=128 --hosts-per-leaf=16 --spines=4)
compare "ring, 1,024, crossbar" 1 --hosts=1024 --coll=ring-allreduce
compare "pairwise, 1,024, crossbar" 1 --hosts=1024 --coll=alltoall-pairwise
compare "burst, 256, crossbar" 3 --hosts=256 --coll=alltoall-burst
compare "burst, 1,024, crossbar" slow --hosts=1024 --coll=alltoall-burst
compare "ring, 1,024, 4:1 leaf-spine" 1 "${tree1024[@]}" --coll=ring-allreduce
compare "burst, 256, 4:1 leaf-spine" 3 "${tree256[@]}" --coll=alltoall-burst
compare "burst, 1,024, 4:1 leaf-spine" 0 "${tree1024[@]}" --coll=alltoall-burst
compare "burst, 128 distinct sizes, hashed, 128" 0 "${tree128[@]}" --coll=alltoallv-burst \
  --sizes=128 --seed=1 --routes=hash
compare "ring, 4,096, crossbar" slow --hosts=4096 --coll=ring-allreduce
