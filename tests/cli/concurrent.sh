#!/usr/bin/env bash
# Several collectives at once, as a user asks for them.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# field NAME: that column of the CSV's first row, or of row ROW.
field() {
  awk -F, -v name="$1" -v row="${2:-1}" \
    'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) c = i } NR == row + 1 { print $c }' out.txt
}

# The system grows to the ranks; servers of their own do not notice each other.
ringspan run dgx-h100 --concurrent "all_reduce@0-7,all_gather@8-15" -b 64M -e 64M
expect_rc 0 "two jobs"
expect_in "$out" "2 collectives at once on 16 GPUs of 2 servers" "two jobs"
expect_in "$out" " 1.000 " "no slowdown"

ringspan run dgx-h100 --concurrent "all_reduce@0-7,all_gather@0-7" -b 1M -e 4M --format csv
expect_same "$(wc -l <out.txt)" 7 "three sizes of two jobs"
expect_same "$(head -1 out.txt | cut -d, -f1-12)" \
  "system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,busbw_gbs" \
  "the columns every CSV begins with"
expect_same "$(field collective 2)" all_gather "the second row is the second job"
expect_same "$(awk -F, 'NR > 1 && $NF < 1' out.txt)" "" "nobody gets faster"

# A collective of the command is that of jobs that name none.
ringspan run dgx-h100 broadcast --concurrent "@0-3,@4-7" -b 1M -e 1M --format csv
expect_same "$(field collective 1),$(field collective 2)" broadcast,broadcast "@RANKS"
ringspan run dgx-h100 broadcast --concurrent "all_reduce@0-3" -b 1M -e 1M --format csv
expect_in "$err" "note: broadcast is not used" "a collective of no effect"

cat >jobs.toml <<'JOBS'
[[job]]
name = "gradients"
collective = "all_reduce"
ranks = "0-7"
size = "64M"

[[job]]
name = "weights"
collective = "all_gather"
ranks = "0-7"
size = "16M"
after = ["gradients"]
delay = "10 us"
JOBS
ringspan run dgx-h100 --concurrent jobs.toml --format json
expect_rc 0 "a file"
for part in '"job": "gradients"' '"job": "weights"' '"slowdown": 1.0' '"shares_bottleneck_with": []'; do
  expect_in "$out" "$part" "a file"
done
ringspan run dgx-h100 --concurrent jobs.toml --format csv
end=$(awk -v a="$(field time_us 1)" 'BEGIN { printf "%.6f", a + 10 }')
expect_same "$(printf '%.6f' "$(field start_us 2)")" "$end" "after and delay"
ringspan run dgx-h100 --concurrent jobs.toml --explain -b 1M
expect_in "$err" "note: the size (-b, -e, -f) is not used" "sizes of no effect"
expect_in "$out" "Job weights: all_gather of 16 MiB" "--explain"
ringspan run dgx-h100 --concurrent - --format csv <jobs.toml
expect_rc 0 "standard input"

sed -i 's/ranks = "0-7"/ranks = "0-7"\nrank = 3/' jobs.toml
ringspan run dgx-h100 --concurrent jobs.toml
expect_rc 2 "unknown keys"
expect_in "$err" "jobs.toml:5:" "the first unknown key"
expect_in "$err" "jobs.toml:12:" "the second unknown key"

# A trace has each job's servers and links, in one file, at both granularities.
for granularity in chunk stream; do
  ringspan run dgx-h100 --concurrent "all_reduce@0-7,all_gather@0-15" -b 4M -e 4M --algo ring \
    --granularity "$granularity" --trace jobs.json
  expect_rc 0 "--trace at $granularity"
  trace=$(cat jobs.json)
  for part in "job 1: busiest links" "job 2: busiest links" '"cat":"all_gather"' '"jobs":"2"'; do
    expect_in "$trace" "$part" "--trace at $granularity"
  done
done
ringspan run dgx-h100 --concurrent "all_reduce@0-7" -b 4M -e 4M --algo ring --trace jobs.json
ringspan run dgx-h100 all_reduce -b 4M -e 4M --algo ring --trace alone.json
# A bar's times count from the beginning of the run, launch included, and from the first byte.
expect_same "$(grep -c '"ph":"X"' jobs.json)" "$(grep -c '"ph":"X"' alone.json)" "bars of one job"

# One rank, no bytes.
ringspan run dgx-h100 --concurrent "all_reduce@3,alltoall@0-2" -b 0 -e 8 --format csv
expect_rc 0 "one rank and no bytes"
expect_same "$(wc -l <out.txt)" 5 "two sizes of two jobs"

# Ctrl-C while jobs are under way.
"$RINGSPAN" run dgx-h100 --concurrent "all_reduce@0-7,all_reduce@0-7" -b 1G -e 64G -f 1.0005 \
  --algo ring --proto simple --granularity chunk --format csv >out.txt 2>err.txt &
process=$!
sleep 2
kill -INT "$process"
rc=0
wait "$process" || rc=$?
err=$(cat err.txt)
expect_rc 130 "Ctrl-C"
expect_in "$err" "interrupted" "Ctrl-C"
finish
