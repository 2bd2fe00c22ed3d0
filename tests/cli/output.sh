#!/usr/bin/env bash
# Results go to standard output or, whole or not at all, to the file of -o.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
run=(run dgx-h100 all_reduce -b 1M -e 4M)

ringspan "${run[@]}" --format csv
csv=$out
expect_rc 0 "csv"
expect_same "$err" "" "nothing but results"

ringspan "${run[@]}" --format csv -o new.csv
expect_rc 0 "-o"
expect_same "$out" "" "-o leaves standard output alone"
expect_same "$(cat new.csv)" "$csv" "-o holds the same"

# An existing file is replaced and keeps its permissions; a link stays a link.
echo old >kept.csv && chmod 640 kept.csv && ln -s kept.csv link.csv
ringspan "${run[@]}" --format csv -o link.csv
expect_rc 0 "-o onto a link"
expect_same "$(cat kept.csv)" "$csv" "the file behind the link is replaced"
expect_same "$(stat -c %a kept.csv)" 640 "permissions are kept"
[ -L link.csv ] || fail "the link is gone"

# A run that fails leaves the old file, and nothing else.
echo old >kept.csv
ringspan run dgx-h100 all_reduce --algo no-such -o kept.csv
expect_rc 2 "a run that fails"
expect_same "$(cat kept.csv)" old "a run that fails leaves the file"
expect_same "$(find . -name "*part*")" "" "no temporary file stays"

for place in "/dev/full" "." "missing/out.csv" "$WORK/new.csv/below" "/proc/none"; do
  ringspan "${run[@]}" -o "$place"
  expect_rc 2 "-o $place"
  expect_same "$out" "" "-o $place"
  expect_in "$err" "error: cannot write" "-o $place"
  expect_in "$err" "hint: " "-o $place"
done

ringspan "${run[@]}" --format csv -o -
expect_same "$out" "$csv" "-o - is standard output"

rc=0
"$RINGSPAN" "${run[@]}" >/dev/full 2>err.txt || rc=$?
expect_rc 2 "standard output on a full disk"
expect_in "$(cat err.txt)" "standard output" "a full disk is named"

rc=0
"$RINGSPAN" "${run[@]}" >&- 2>err.txt || rc=$?
expect_rc 2 "standard output closed"

# Messages never land in a result, even where standard error is closed.
"$RINGSPAN" run dgx-h100 all_reduce -b 1KB -e 1KB --format csv -o quiet.csv 2>&-
expect_not_in "$(cat quiet.csv)" "note" "a closed standard error"

# A reader that has gone: quiet, but not a success.
"$RINGSPAN" list 2>err.txt | true
rc=${PIPESTATUS[0]}
case $rc in 0 | 2) ;; *) fail "a closed pipe ended with $rc" ;; esac
mkfifo pipe
("$RINGSPAN" list >pipe 2>err.txt; echo $? >pipe.rc) &
writer=$!
exec 3<pipe
exec 3<&-
wait "$writer"
case $(cat pipe.rc) in 0 | 2) ;; *) fail "a closed pipe ended with $(cat pipe.rc)" ;; esac
expect_same "$(cat err.txt)" "" "a closed pipe is quiet"

# Explanations: after a table on standard output, beside a CSV on standard error.
ringspan "${run[@]}" --explain
expect_in "$out" "# Communicator: 8 ranks on dgx-h100" "--explain follows the table"
ringspan "${run[@]}" --explain --format csv
expect_same "$out" "$csv" "--explain does not disturb a CSV"
expect_in "$err" "Communicator: 8 ranks on dgx-h100" "--explain of a CSV is on standard error"
ringspan "${run[@]}" --explain --format json
expect_in "$out" '"candidates": [' "--explain of JSON lists candidates"
expect_same "$err" "" "--explain of JSON is in the JSON"

# A trace stands beside the results, which it does not change.
one=(run dgx-h100 all_reduce -b 1M -e 1M --format csv)
ringspan "${one[@]}"
csv=$out
ringspan "${one[@]}" --trace trace.json
expect_rc 0 "--trace"
expect_same "$out" "$csv" "--trace does not disturb a CSV"
expect_in "$(cat trace.json)" '"traceEvents":[' "--trace writes events"
expect_in "$(cat trace.json)" '"name":"gpu0 to ' "--trace names ranks"
cp trace.json first.json
ringspan "${one[@]}" --trace trace.json
expect_same "$(cat trace.json)" "$(cat first.json)" "--trace writes the same bytes again"

# So does a tuner's file: whole or not at all.
ringspan "${run[@]}" --format csv
csv=$out
ringspan "${run[@]}" --format csv --emit-tuner tuner.conf
expect_rc 0 "--emit-tuner"
expect_same "$out" "$csv" "--emit-tuner does not disturb a CSV"
expect_same "$err" "" "--emit-tuner says nothing"
expect_same "$(grep -v '^#' tuner.conf | head -1 | cut -d, -f1,2,7-)" "allreduce,0,1,8,-1,-1" "the first range"
expect_same "$(tail -1 tuner.conf | cut -d, -f3)" 18446744073709551615 "the last range is open"
rm tuner.conf
ringspan run dgx-h100 all_reduce --gpus 1 --emit-tuner tuner.conf
expect_rc 2 "one rank has nothing to choose"
expect_in "$err" "NCCL's tuner has nothing to choose in this run" "which is said"
expect_same "$out" "" "before anything is printed"
[ ! -e tuner.conf ] || fail "a refused --emit-tuner leaves a file" "$(cat tuner.conf)"

# And a plan: what was simulated, and only what was forced.
ringspan "${run[@]}" --format csv --emit-plan plan.toml
expect_rc 0 "--emit-plan"
expect_same "$out" "$csv" "--emit-plan does not disturb a CSV"
expect_same "$(grep -c '^\[\[collective\]\]' plan.toml)" "$(($(printf '%s\n' "$csv" | wc -l) - 1))" "a collective per row"
expect_not_in "$(cat plan.toml)" "algorithm" "nothing is forced"
ringspan run dgx-h100 --concurrent "all_reduce@0-3,broadcast@4-7" -b 1M -e 1M --algo ring --emit-plan plan.toml
expect_rc 0 "--emit-plan with --concurrent"
expect_in "$(cat plan.toml)" "together = true" "jobs at once"
expect_in "$(cat plan.toml)" 'algorithm = "ring"' "what is forced"
finish
