#!/usr/bin/env bash
# ringspan-replay-hosts as a user sees it, on one machine: results are right, files are read by
# validate, and what goes wrong ends with a message and its exit code.
source "$(dirname "${BASH_SOURCE[0]}")/../cli/support.sh"
: "${REPLAY:?the program}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_orte_base_help_aggregate=0

# replay RANKS ARGUMENTS...: leaves out, err and rc.
replay() {
  local ranks=$1
  shift
  rc=0
  mpirun --oversubscribe -np "$ranks" "$REPLAY" "$@" >out.txt 2>err.txt </dev/null || rc=$?
  out=$(cat out.txt)
  err=$(cat err.txt)
}

replay 1 --help
expect_rc 0 "--help"
expect_in "$out" "ringspan-replay-hosts COLLECTIVE" "the page"

# Every collective, both halves, over three ranks, is checked and right.
for collective in all_reduce all_gather reduce_scatter alltoall broadcast reduce gather scatter sendrecv; do
  replay 3 "$collective" -b 48 -e 768K -f 128 -n 2 --root 1
  expect_rc 0 "$collective"
  expect_in "$out" "# Out of bounds values : 0 OK" "$collective is right"
  expect_not_in "$out" "N/A" "$collective is checked"
done
for dtype in half bfloat16 f8e4m3 f8e5m2 uint8 double; do
  replay 3 all_reduce --dtype $dtype --op avg -b 4K -e 4K -n 1
  expect_in "$out" "# Out of bounds values : 0 OK" "avg of $dtype"
done

# What is forced is done, and what Open MPI lacks is refused.
replay 4 all_reduce --algo ring -b 64K -e 64K -n 2 --format csv --system dgx-a100 --case mine
expect_rc 0 "a forced algorithm"
expect_in "$out" "dgx-a100,1,4,,all_reduce,ring,,float,65536," "the measured table names it"
replay 2 all_reduce --algo tree
expect_rc 2 "no tree"
expect_in "$err" "Open MPI has no algorithm like 'tree' for all_reduce" "which is said"
expect_in "$err" "one of: ring, halving-doubling" "with what there is"

# Plan, table and JSON go round.
ringspan run dgx-a100 all_gather --gpus 4 -b 4K -e 64K -f 4 --emit-plan plan.toml
replay 4 --plan plan.toml --repeats 3 --format csv -o measured.csv
expect_rc 0 "a plan"
ringspan validate measured.csv
expect_rc 0 "its table is read"
expect_in "$out" "measured.csv:10" "all rows"
replay 4 all_reduce -b 1K -e 4K --system dgx-a100 --format json
printf '%s\n' "$out" >log.json
ringspan validate - <log.json
expect_rc 0 "JSON is read"
replay 3 --plan plan.toml
expect_rc 2 "a plan for other ranks"
expect_in "$err" "the plan is for 4 ranks, and 3 run" "is refused"
printf 'plan = 1\nranks = 4\n[[collective]]\ncollective = "all_reduc"\nsize = 8\n' >bad.toml
replay 4 --plan bad.toml
expect_rc 2 "a corrupted plan"
expect_in "$err" "bad.toml:4:14: error: unknown collective 'all_reduc'" "has its place"

# Collectives at once, on ranks of their own.
printf 'plan = 1\nranks = 4\niterations = 2\n[[collective]]\ncollective = "all_reduce"\nsize = "64K"\nranks = "0-1"\n[[collective]]\ncollective = "alltoall"\nsize = "64K"\nranks = "3+2"\ntogether = true\n' >two.toml
replay 4 --plan two.toml --format csv --system dgx-a100
expect_rc 0 "two at once"
expect_in "$out" "dgx-a100,,2,,alltoall,,,float,65536," "the second"

# A calibration set that its budget ends keeps what is done.
replay 2 --calibration -e 4K --budget 1ms --format csv --system dgx-a100
expect_rc 0 "a budget"
expect_in "$out" "# ended early: the time budget is used up" "an early end is said"

# Too large, a full disk: a message, and what was measured before.
printf 'plan = 1\nranks = 2\niterations = 1\n[[collective]]\ncollective = "all_reduce"\nsize = "1K"\n[[collective]]\ncollective = "all_reduce"\ndtype = "double"\nsize = "8G"\nranks = "0"\n[[collective]]\ncollective = "alltoall"\ndtype = "double"\nsize = "16T"\n' >large.toml
replay 2 --plan large.toml
expect_rc 2 "more elements than MPI counts"
sed -i 's/"16T"/"24G"/; s/"8G"/"2K"/' large.toml
# A sanitizer's shadow alone is larger.
[ "${SANITIZED:-OFF}" = ON ] || large=yes
[ -z "${large:-}" ] || (ulimit -v 12000000; replay 2 --plan large.toml; printf '%s\n' "$rc" >rc.txt)
if [ -n "${large:-}" ]; then
  expect_same "$(cat rc.txt)" 2 "larger than the memory"
  expect_in "$(cat err.txt)" "the buffers of a host need" "the figures"
  expect_in "$(cat out.txt)" "# ended early: a size could not be measured" "what was measured before"
fi
replay 2 all_reduce -b 1K -e 1K -o /dev/full
expect_rc 2 "a full disk"
expect_in "$err" "No space left on device" "is said"
expect_in "$out" "# Out of bounds values : 0 OK" "and the results are not lost"

# A killed rank ends the run within seconds, with a message and what was done.
mpirun --oversubscribe -np 2 "$REPLAY" all_reduce -b 1K -e 64M -f 1.002 -n 20 -o killed.txt >out.txt 2>err.txt </dev/null &
run=$!
sleep 3
begin=$SECONDS
victim=$(pgrep -P "$run" | tail -n 1)
kill -KILL "$victim"
rc=0
wait "$run" || rc=$?
[ "$rc" != 0 ] || fail "a killed rank is a success" ""
[ $((SECONDS - begin)) -le 20 ] || fail "a killed rank ends the run after $((SECONDS - begin)) s" ""
expect_in "$(cat err.txt)" "signal 9 (Killed)" "mpirun says who"
expect_in "$(cat killed.txt)" "# ended early" "what was done is there"
finish
