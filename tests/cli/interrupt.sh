#!/usr/bin/env bash
# Ctrl-C: the rows that are done are printed, the exit code is 130; a second one ends at once.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
# 8,320 rows, each a simulation of every slice: minutes, far longer than this test waits.
long=(run dgx-h100 all_reduce -b 1G -e 64G -f 1.0005 --algo ring --proto simple --granularity chunk
  --format csv)

"$RINGSPAN" "${long[@]}" >out.txt 2>err.txt &
process=$!
sleep 1
kill -INT "$process"
rc=0
wait "$process" || rc=$?
err=$(cat err.txt)
expect_rc 130 "after one Ctrl-C"
expect_in "$err" "interrupted: " "the end is explained"
[ "$(wc -l <out.txt)" -ge 2 ] || fail "no row was kept" "$(cat out.txt)"
[ "$(tail -c 1 out.txt | od -An -c | tr -d ' ')" = '\n' ] || fail "the last row is cut"

# A batch system's way to say that time is up keeps the rows as well.
"$RINGSPAN" "${long[@]}" >out.txt 2>err.txt &
process=$!
sleep 1
kill -TERM "$process"
rc=0
wait "$process" || rc=$?
expect_rc 130 "after SIGTERM"
[ "$(wc -l <out.txt)" -ge 2 ] || fail "no row was kept after SIGTERM" "$(cat out.txt)"

echo old >kept.csv
"$RINGSPAN" "${long[@]}" -o kept.csv >out.txt 2>err.txt &
process=$!
sleep 1
kill -INT "$process"
rc=0
wait "$process" || rc=$?
expect_rc 130 "with -o"
err=$(cat err.txt)
expect_in "$(head -1 kept.csv)" "system,nodes" "-o keeps the rows that are done"
# Progress: only on a terminal, only after a second, and erased at the end.
# A container may have no pseudo-terminals; then this part is not tried. timeout without --foreground
# would interrupt twice, the process and its group, and the second time ends at once.
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
  shown=$(script -qec "timeout --foreground -s INT 3 '$RINGSPAN' ${long[*]} >out.txt" /dev/null </dev/null)
  expect_in "$shown" "all_reduce " "progress on a terminal"
  expect_in "$shown" " of 8320)" "progress counts the sizes"
  expect_in "$shown" $'\r\033[K''interrupted: ' "the line is erased before the last message"
else
  echo "no pseudo-terminal here: progress is not tried"
fi
expect_not_in "$err" "(size" "no progress without a terminal"
finish
