#!/usr/bin/env bash
# validate as a user sees it: tables and logs, errors with places, tolerance, Ctrl-C.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

head=system,nodes,gpus,nccl,collective,algorithm,protocol,dtype,bytes,time_us,launch,env,case
# The measured times are what run predicts, so every error is 0; then twice that, so every one is -50 %.
ringspan run dgx-h100 all_reduce -b 1K -e 16M -f 16 --format csv -o run.csv
table() { # FACTOR CASE
  echo "$head"
  awk -F, -v factor="$1" -v name="$2" \
    'NR > 1 {printf "dgx-h100,1,8,,all_reduce,,,float,%s,%.6f,processes,,%s\n", $9, $10 * factor, name}' run.csv
}
table 1 same >same.csv
table 2 half >half.csv

ringspan validate same.csv
expect_rc 0 "a table"
expect_same "$err" "" "nothing to say"
expect_in "$out" "# ringspan $VERSION validate: 4 of 4 measured rows, 1 case, the built-in profiles" "the head"
# 1 KiB, 16 KiB and 256 KiB are small; 4 MiB is large.
expect_in "$out" "  dgx-h100  all_reduce  small      3     0.0 %     0.0 %     0.0 %    +0.0 %" "small sizes"
expect_in "$out" "  dgx-h100  all_reduce  large      1     0.0 %" "large sizes"
expect_in "$out" "  all            all        4" "the last line of the totals"
expect_in "$out" "# worst rows, and what the simulator believed" "the worst rows"

ringspan validate same.csv half.csv
expect_in "$out" "8 of 8 measured rows, 2 cases" "two files"
expect_in "$out" "-50.0 %" "half the time is an error of -50 %"
ringspan validate - <half.csv --max-median 0.5001 --max-p90 0.5001
expect_rc 0 "standard input, within the tolerance"
ringspan validate half.csv --max-median 0.4
expect_rc 3 "out of tolerance"
expect_in "$err" "out of tolerance: the median |error| over rows is 0.5, above 0.4" "which figure"
expect_in "$out" "# over cases" "the table is printed all the same"

# CSV: the measured row as it was, then the prediction.
ringspan validate half.csv --format csv -o errors.csv --profile nccl-hopper
expect_rc 0 "csv"
expect_same "$out" "" "-o leaves standard output empty"
expect_same "$(head -1 errors.csv)" "$head,predicted_us,rel_error,lo_us,hi_us,extrapolated" "its columns"
expect_same "$(cut -d, -f1-13 errors.csv)" "$(cat half.csv)" "the measured rows are repeated"
expect_same "$(sed -n 2p errors.csv | cut -d, -f16-)" ",,true" "no interval without a fit, extrapolated"
ringspan validate half.csv --format csv -o fitted.csv
expect_same "$(sed -n 2p fitted.csv | cut -d, -f15,18)" "-0.5,false" "within what the profile was fitted on"
case $(sed -n 2p fitted.csv | cut -d, -f16,17) in
  [0-9]*,[0-9]*) ;;
  *) fail "no interval of the fit" "$(cat fitted.csv)" ;;
esac
ringspan validate half.csv --format json --profile nccl-hopper
expect_rc 0 "json"
for part in '"rel_error": ' '"over_cases": [' '"picked": {' '"lo_us": null'; do
  expect_in "$out" "$part" "json"
done

ringspan validate half.csv --format md --baseline nccl-model
expect_rc 0 "md"
expect_in "$out" "## Beside nccl-model over rows" "md"

# nccl-tests' own layout, as `run` prints it and as mpirun labels it.
ringspan run dgx-h100 all_reduce -b 1M -e 4M
printf '%s\n' "$out" | sed 's/^/[1,0]<stdout>:/' >run.log
sed -i 's/nThread 1 nGpus 1/nThread 1 nGpus 8/' run.log
ringspan validate run.log --system dgx-h100
expect_rc 0 "a log"
expect_in "$out" "3 of 3 measured rows" "all rows of the log"
ringspan validate run.log
expect_rc 2 "a log without --system"
expect_in "$err" "run.log:3: error: nccl-tests does not say on which system it ran" "which is asked for"
ringspan validate same.csv --system dgx-a100
expect_in "$err" "note: --system is not used" "an option without effect is told"

# What is wrong is named; the rest stands with --keep-going, and the exit code is 2 all the same.
{ cat same.csv; echo 'dgx-h100,1,8,,all_reduce,,,float,64K,9.5,,,x'; } >bad.csv
echo 'dgx-h999,1,8,,all_reduce,,,float,64,9.5,,,x' >>bad.csv
ringspan validate bad.csv
expect_rc 2 "a bad row"
expect_same "$out" "" "nothing is printed"
expect_in "$err" "bad.csv:6:34: error: row 5, column bytes: '64K' is no whole number" "row and column"
ringspan validate bad.csv --keep-going
expect_rc 2 "a bad row passed over"
expect_in "$out" "4 of 6 measured rows" "the good ones"
expect_in "$err" "bad.csv:7:1: error: row 6, column system: unknown system 'dgx-h999'" "an unknown system"
: >empty.csv
ringspan validate empty.csv
expect_rc 2 "an empty file"
expect_in "$err" "empty.csv: error: the file is empty" "an empty file"

# Ctrl-C keeps what is done. Each row takes a tenth of a second, all of them minutes.
{ echo "$head"; for i in $(seq 1 3000); do
  echo "dgx-h100,8,64,,all_reduce,,,float,$((1073741824 + 4 * i)),3000,,,long"; done; } >long.csv
"$RINGSPAN" validate long.csv --format csv >out.txt 2>err.txt &
process=$!
sleep 1
kill -INT "$process"
rc=0
wait "$process" || rc=$?
err=$(cat err.txt)
expect_rc 130 "after Ctrl-C"
expect_in "$err" "of 3000 rows are done" "the end is explained"
[ "$(wc -l <out.txt)" -ge 2 ] || fail "no row was kept" "$(head -3 out.txt)"
finish
