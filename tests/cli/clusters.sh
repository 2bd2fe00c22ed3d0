#!/usr/bin/env bash
# Several servers: --nodes and --gpus, who takes part, and what is said of it.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
cp -r "$here/systems" .
rails=(run systems/rails.toml all_reduce --algo ring -b 1M -e 1M)

# nodes,gpus of the only row.
size_of() {
  ringspan "${rails[@]}" --format csv "$@"
  expect_rc 0 "$*"
  sed -n 2p out.txt | cut -d, -f2,3
}
expect_same "$(size_of)" "4,32" "all GPUs of the system"
expect_same "$(size_of --nodes 2)" "2,16" "all GPUs of two servers"
expect_same "$(size_of --nodes 2 --gpus 6)" "2,6" "three GPUs of each of two servers"
expect_same "$(size_of --gpus 20)" "3,20" "20 GPUs fill two servers and half of a third"
expect_same "$(size_of --gpus 1)" "1,1" "one GPU of a cluster"
expect_same "$(size_of --gpus 8)" "1,8" "one server of a cluster"
expect_same "$(size_of --nodes 6)" "6,48" "the fabric grows"
expect_same "$(size_of --gpus 100)" "13,100" "the fabric grows to hold 100 GPUs"

ringspan "${rails[@]}" --nodes 2 --gpus 6
expect_in "$out" "#  Rank  5 Group  0 Pid      0 on      rails device  2 [server1.gpu2] H100 SXM" \
  "ranks are spread over the servers in equal parts"
expect_in "$out" "(2 servers, 6 GPUs, fluid network)" "servers and GPUs"
ringspan "${rails[@]}" --nodes 16
expect_same "$(grep -c "^#  Rank" out.txt)" 8 "of many ranks a few are named"
expect_in "$out" "#  ... 120 more ranks" "and the rest is counted"

# Where the bytes go: three GPUs on each of two servers exchange everything with everything.
ringspan run systems/rails.toml alltoall --nodes 2 --gpus 6 -b 1M -e 1M --explain
for class in "nvswitch: 12 pairs" "network, one rail, 1 switch: 6 pairs" \
  "network, one rail by PXN, 1 switch: 12 pairs"; do
  expect_in "$out" "$class" "path classes between servers"
done
expect_in "$out" "server0.gpu0 -> psw0 -> nic0 -> leaf0 -> nic0 -> psw0 -> server1.gpu0" "an example"

# Hashes: a seed gives the same ways again, another one others; it is reported.
ecmp=(run systems/rails.toml all_gather --algo ring --granularity stream -b 1G -e 1G --nodes 16 --format json
  --set fabric.kind=leaf-spine --set fabric.servers_per_leaf=1 --set fabric.routing=ecmp)
ringspan "${ecmp[@]}" --seed 1
first=$out
expect_in "$out" '"seed": 1,' "the seed is reported"
ringspan "${ecmp[@]}" --seed 1
expect_same "$out" "$first" "the same seed"
times=$(for seed in 1 2 3 4; do
  ringspan "${ecmp[@]}" --seed "$seed"
  grep '"time_us"' out.txt
done | sort -u | wc -l)
[ "$times" -gt 1 ] || fail "four seeds give one time"

# [transport] reaches the run: without PXN another rail is another switch's matter.
ringspan run systems/rails.toml alltoall --nodes 2 --gpus 6 -b 1M -e 1M --explain \
  --set transport.pxn=false
expect_same "$(grep -c PXN out.txt)" 0 "no PXN"

# Faults: a dead GPU is no rank, a dead NIC leaves the others.
expect_same "$(size_of --nodes 2 --set 'fault=[{gpu="server1.gpu0"}]')" "2,15" "a dead GPU"
expect_same "$(size_of --nodes 2 --set 'fault=[{nic="server1.nic0"}]')" "2,16" "a dead NIC"
# 31 GPUs are alive on four servers: 32 need a fifth.
expect_same "$(size_of --gpus 32 --set 'fault=[{gpu="server1.gpu0"}]')" "5,32" "one more server"
# Faults that the run does not meet are said.
ringspan "${rails[@]}" --nodes 2 --set 'fault=[{gpu="server3.gpu0"},{nic="server1.nic0"}]'
expect_same "$err" "note: --set fault: fault left out: server3.gpu0: dead (this run has no 'server3')" \
  "a fault of a server that is left out"
ringspan "${rails[@]}" --gpus 16 --set 'fault=[{gpu="server3.gpu0"},{nic="server1.nic0"}]'
expect_same "$err" "note: --set fault: fault left out: server3.gpu0: dead (the run uses 2 of 4 servers)" \
  "a fault of a server without ranks"


# Two like servers that stand last, behind one that is hit: their rails are joined all the same.
expect_same "$(size_of --nodes 3 --set 'fault=[{nic="server0.nic1"}]')" "3,24" "a dead NIC in the first of three"

# A bound is one.
ringspan run systems/rails.toml all_reduce --algo ring --format csv
expect_same "$(awk -F, 'NR > 1 && $10 < $16' out.txt)" "" "times under the lower bound"
finish
