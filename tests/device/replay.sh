#!/usr/bin/env bash
# ringspan-replay as a user sees it.
source "$(dirname "${BASH_SOURCE[0]}")/../cli/support.sh"
: "${REPLAY:?the program}"

replay() {
  rc=0
  "$REPLAY" "$@" >out.txt 2>err.txt </dev/null || rc=$?
  out=$(cat out.txt)
  err=$(cat err.txt)
}

replay --help
expect_rc 0 "--help"
expect_in "$out" "ringspan-replay COLLECTIVE" "the page"
expect_in "$out" "  -g N" "it has GPUs to choose"

if [ "${DEVICE_TESTS:-OFF}" = ON ]; then
  replay all_reduce -g 1 -b 1K -e 1M -f 32 --system dgx-h100
  expect_rc 0 "one GPU"
  expect_in "$out" "# Out of bounds values : 0 OK" "its results are right"
  replay all_reduce -b 1K -e 1M -f 32 --system dgx-h100 --format json
  expect_rc 0 "all GPUs"
  printf '%s\n' "$out" >log.json
  ringspan validate log.json
  expect_rc 0 "JSON is read"
else
  # Whatever this machine has, nothing is to be seen.
  CUDA_VISIBLE_DEVICES="" replay all_reduce
  expect_rc 2 "no GPU"
  expect_in "$err" "error: no GPU can be used: " "which is said"
  expect_in "$err" "hint: run it where there is an NVIDIA GPU with its driver" "with what to do"
  expect_same "$out" "" "and nothing is measured"
fi
finish
