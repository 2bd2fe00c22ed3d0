#!/usr/bin/env bash
# calibrate as a user sees it: one log gives a profile that predicts it better; refusals; Ctrl-C.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# A machine that takes 3 us longer for every call than the built-in profile says.
ringspan run dgx-h100 all_reduce -b 8 -e 256M -f 2 --granularity stream
printf '%s\n' "$out" | sed 's/nThread 1 nGpus 1/nThread 1 nGpus 8/' |
  awk '$1 ~ /^[0-9]+$/ { $6 += 3; $10 += 3 } { print }' >slow.log
export SOURCE_DATE_EPOCH=1000000000
ringspan calibrate --system dgx-h100 slow.log -o mine.toml
expect_rc 0 "a log"
expect_in "$out" "measured rows, 1 case, base hopper, seed 0" "the head"
expect_in "$out" "  nvlink-domain    small" "errors before and after"
expect_in "$out" "# constant" "the constants"
profile=$(cat mine.toml)
expect_in "$profile" 'name = "mine"' "the profile is named after its file"
# 10^9 s after 1970.
expect_in "$profile" 'date = "2001-09-09"' "the date"
expect_in "$profile" 'sources = ["slow.log"]' "where it comes from"
expect_in "$profile" '# fitted; ' "fitted constants are marked"
expect_in "$profile" 'size = "large"' "what the fit left over"

# It predicts its own log better than the built-in one, and says how sure it is.
ringspan validate --system dgx-h100 slow.log --format json
before=$(printf '%s\n' "$out" | sed -n '/"over_rows"/,$p' | sed -n 's/.*"median": \([0-9.e-]*\),/\1/p' | head -1)
ringspan validate --system dgx-h100 slow.log --format json --profile mine.toml
after=$(printf '%s\n' "$out" | sed -n '/"over_rows"/,$p' | sed -n 's/.*"median": \([0-9.e-]*\),/\1/p' | head -1)
awk -v a="$after" -v b="$before" 'BEGIN { exit !(a < b / 4) }' || fail "no better" "$before before, $after after"
ringspan run dgx-h100 all_reduce -b 64K -e 64K --profile mine.toml --format json
expect_in "$out" '"interval_us": [' "an interval"
expect_in "$out" '"extrapolated": false' "a size that was fitted"
ringspan run dgx-h100 all_gather -b 64K -e 64K --profile mine.toml --format json
expect_in "$out" '"extrapolated": true' "another collective"

# The same bytes again, from standard input, to standard output.
ringspan calibrate --system dgx-h100 slow.log -o mine2.toml
expect_same "$(sed s/mine2/mine/ mine2.toml)" "$profile" "the same log gives the same profile"
ringspan calibrate --system dgx-h100 - -o - <slow.log
expect_rc 0 "- and -"
expect_in "$out" 'name = "calibrated"' "the profile goes to standard output"
expect_in "$err" "# constant" "and the table to standard error"

# What is wrong is named, and nothing is written.
head=system,nodes,gpus,collective,bytes,time_us,case
printf '%s\n' "$head" dgx-h100,1,8,all_reduce,64,9.5,a dgx-a100,1,8,all_reduce,64,9.5,b >two.csv
ringspan calibrate two.csv -o two.toml
expect_rc 2 "two generations"
expect_in "$err" "error: the rows are of GPUs of several generations: dgx-h100 (hopper), dgx-a100 (ampere)" "which"
printf '%s\n' "$head" dgx-h100,1,8,all_reduce,64,fast,a >bad.csv
ringspan calibrate bad.csv -o two.toml
expect_rc 2 "a bad cell"
expect_in "$err" "bad.csv:2:28: error: row 1, column time_us" "where"
ringspan calibrate missing.csv -o two.toml
expect_rc 2 "a file that is not there"
[ ! -e two.toml ] || fail "a profile was written" ""

# 80 us for 8 B to 2.7 x 10^9 us for 256 MiB: a launch of at most 150 us and a fifth of NVLink are far from it.
awk '$1 ~ /^[0-9]+$/ { $6 = $10 = $1 "0" } { print }' slow.log >absurd.log
ringspan calibrate --system dgx-h100 absurd.log -o absurd.toml
expect_rc 2 "times that no constants explain"
expect_in "$err" "error: no constants explain the rows: the fit leaves a median error of " "what was found"
expect_in "$err" "hint: is the system right" "what may be wrong"
expect_same "$out" "" "no table"
[ ! -e absurd.toml ] || fail "a profile was written" ""

# 50 us for 256 MiB on GPUs with 450 GB/s of NVLink: 5 TB/s, more than links at their full rate carry.
awk '$1 ~ /^[0-9]+$/ { $6 = $10 = 50 } { print }' slow.log >equal.log
ringspan calibrate --system dgx-h100 equal.log -o equal.toml
expect_rc 0 "times that are all equal"
expect_in "$err" "warning: nvls.efficiency ended at a limit of its range: 1 (0.2 to 1)" "a constant at its limit"
expect_in "$err" "warning: no constants explain the large rows (nvlink-domain): median error" "rows that are not explained"
expect_in "$(cat equal.toml)" "; at a limit of its range" "the profile says so too"

# Ten times too long: constants that no machine has explain them.
awk '$1 ~ /^[0-9]+$/ { $6 = $10 = $6 * 10 } { print }' slow.log >ten.log
ringspan calibrate --system dgx-h100 ten.log -o ten.toml
expect_in "$err" "warning: with profile hopper the median error was" "the base was far off"

# Two sizes, one of them measured twice, are two rows; one constant takes three.
printf '%s\n' "$head" dgx-h100,1,8,all_reduce,64,20,a dgx-h100,1,8,all_reduce,64,21,b dgx-h100,1,8,all_reduce,4096,23,a >few.csv
ringspan calibrate few.csv -o few.toml
expect_rc 2 "too few rows"
expect_in "$err" "error: too few rows to determine a constant: 2 different ones of 3" "how many"
expect_in "$err" "hint: one constant takes 3 different rows" "how many are needed"
[ ! -e few.toml ] || fail "a profile was written" ""
printf '%s\n' "$head" dgx-h100,1,8,all_reduce,64,20,a dgx-h100,1,8,all_reduce,1024,21,a dgx-h100,1,8,all_reduce,4096,23,a >three.csv
ringspan calibrate three.csv -o three.toml
expect_rc 0 "three rows"
[ "$(grep -c "# fitted; " three.toml)" = 1 ] || fail "not one constant" "$(cat three.toml)"
expect_in "$(cat three.toml)" "# not determined by the rows" "the others are named"

ringspan calibrate three.csv -o three.toml --rows-per-constant 1
[ "$(grep -c "# fitted; " three.toml)" -gt 1 ] || fail "one constant for three rows" "$(cat three.toml)"

# Ctrl-C leaves no file. 200 sizes of 64 GPUs take far longer than half a second.
{ echo "$head"; for i in $(seq 1 200); do
  echo "dgx-h100,8,64,all_reduce,$((1048576 + 64 * i)),300,c$((i % 7))"; done; } >long.csv
"$RINGSPAN" calibrate long.csv -o long.toml >out.txt 2>err.txt &
process=$!
sleep 0.5
kill -INT "$process"
rc=0
wait "$process" || rc=$?
err=$(cat err.txt)
expect_rc 130 "after Ctrl-C"
expect_in "$err" "interrupted: nothing is written" "the end is explained"
[ ! -e long.toml ] || fail "a profile was written" ""
finish
