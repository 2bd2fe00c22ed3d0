#!/usr/bin/env bash
# Sweeps: same bytes for any number of threads, after kill -9 and --resume, and after a full disk.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
cat >study.toml <<'T'
title = "t"
[[design]]
name = "a"
system = "dgx-a100"
set = { "fabric.kind" = "leaf-spine", "fabric.servers_per_leaf" = 2 }
[[workload]]
collective = "all_reduce"
sizes = { from = "1M", to = "64M", factor = 2 }
[[workload]]
collective = "alltoall"
sizes = { from = "1M", to = "64M", factor = 2 }
[[sweep.axis]]
key = "nodes"
values = { from = 2, to = 8, step = 2 }
[[sweep.axis]]
key = "fabric.oversubscription"
values = ["1:1", "2:1", "4:1"]
T
# 2 collectives x 7 sizes x 4 x 3, and the header.
ringspan sweep study.toml -o all.csv --jobs 1
expect_rc 0 "sweep"
expect_same "$out$err" "" "a sweep says nothing"
expect_same "$(wc -l <all.csv)" 169 "a line for each point"
expect_same "$(sed 1d all.csv | cut -d, -f1)" "$(seq 0 167)" "points are in order"
ringspan sweep study.toml -o three.csv --jobs 3
cmp -s all.csv three.csv || fail "three threads give other bytes"

ringspan sweep study.toml -o all.csv
expect_rc 2 "a file that exists"
expect_in "$err" "--resume" "a file that exists"

# Ended in the middle of a line, in any order.
{ sed -n 1p all.csv; sed -n 100,120p all.csv; sed -n 3,9p all.csv; sed -n 50p all.csv | head -c 40; } >part.csv
ringspan sweep study.toml -o part.csv --resume --jobs 2
expect_rc 0 "resume"
cmp -s all.csv part.csv || fail "--resume gives other bytes"
ringspan sweep study.toml -o part.csv --resume
expect_rc 0 "resume of a file with all points"
cmp -s all.csv part.csv || fail "--resume of a whole file changes it"

"$RINGSPAN" sweep study.toml -o killed.csv --jobs 1 &
sleep 0.3
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
ringspan sweep study.toml -o killed.csv --resume
expect_rc 0 "resume after kill -9"
cmp -s all.csv killed.csv || fail "kill -9 and --resume give other bytes"

# A limit of the file's size is a full disk, to us.
(trap '' XFSZ; ulimit -f 12; "$RINGSPAN" sweep study.toml -o full.csv --jobs 2 >out.txt 2>err.txt)
expect_same $? 2 "exit code of a full disk"
expect_in "$(cat err.txt)" "cannot write 'full.csv'" "a full disk"
expect_in "$(cat err.txt)" "--resume" "a full disk"
lines=$(wc -l <full.csv)
[ "$lines" -gt 7 ] || fail "a full disk keeps what is done: $lines lines"
ringspan sweep study.toml -o full.csv --resume
expect_rc 0 "resume after a full disk"
cmp -s all.csv full.csv || fail "a full disk and --resume give other bytes"

sed 's/title = "t"/title = "u"/' study.toml >other.toml
ringspan sweep other.toml -o all.csv --resume
expect_rc 2 "another study"
expect_in "$err" "all.csv:2:1: error: this point is of another study" "another study"
finish
