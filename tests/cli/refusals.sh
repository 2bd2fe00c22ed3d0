#!/usr/bin/env bash
# What a user can get wrong: exit code 2, one message with a hint, nothing on standard output, and
# never a trace of our insides. Each line of refusals.txt is: arguments | part of the message.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
cp -r "$here/bad" "$here/systems" .
printf '\377\376\000' >bytes.toml
printf 'name = "big"\n' >big.toml && yes '# padding to pass the size limit of a system file' | head -c 68000000 >>big.toml

cases=0
while IFS='|' read -r arguments part; do
  case $arguments in '' | '#'*) continue ;; esac
  part=${part# }
  eval "set -- $arguments"
  rc=0
  timeout 20 "$RINGSPAN" "$@" >out.txt 2>err.txt </dev/null || rc=$?
  out=$(cat out.txt)
  err=$(cat err.txt)
  cases=$((cases + 1))
  expect_rc 2 "$arguments"
  expect_same "$out" "" "standard output of: $arguments"
  expect_in "$err" "error: " "$arguments"
  expect_in "$err" "hint: " "$arguments"
  expect_in "$err" "$part" "$arguments"
  for trace in terminate what\(\) internal toml:: boost std:: assert; do
    expect_not_in "$err" "$trace" "$arguments"
  done
done <"$here/refusals.txt"
[ "$cases" -ge 80 ] || fail "only $cases cases were read"

ringspan
expect_rc 2 "no arguments"
expect_in "$err" "no command is given" "no arguments"
finish
