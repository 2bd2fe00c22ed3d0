#!/usr/bin/env bash
# Every system of the catalogue can be shown, drawn, printed and read again, and run.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

ringspan list systems
expect_rc 0 "list systems"
systems=$(printf '%s\n' "$out" | awk '{print $1}')
[ "$(printf '%s\n' "$systems" | wc -l)" -ge 30 ] || fail "fewer than 30 systems" "$systems"

for system in $systems; do
  ringspan show "$system"
  expect_rc 0 "show $system"
  shown=$out
  for part in "Devices" "GPU pairs" "Capacity (per direction)" "Peer-to-peer"; do
    expect_in "$out" "$part" "show $system"
  done
  ringspan show "$system" --dot
  expect_rc 0 "show $system --dot"
  expect_in "$out" "graph" "show $system --dot"
  ringspan show "$system" --toml -o copy.toml
  expect_rc 0 "show $system --toml"
  ringspan show ./copy.toml
  expect_same "$out" "$shown" "$system read again from what --toml wrote"
  ringspan run "$system" all_reduce -b 1M -e 1M
  expect_rc 0 "run $system all_reduce"
  [ "$(grep -vc '^#' out.txt)" = 1 ] || fail "not one row for $system" "$out"
done

ringspan list
everything=$out
for kind in systems collectives algorithms fabrics links profiles; do
  ringspan list "$kind"
  expect_rc 0 "list $kind"
  expect_in "$everything" "$kind:" "list prints all kinds"
  expect_in "$everything" "$out" "list holds what list $kind prints"
done

if command -v dot >/dev/null; then
  ringspan show dgx-h100 --svg
  expect_rc 0 "show --svg"
  expect_in "$out" "<svg" "show --svg"
fi
rc=0
PATH=/nonexistent "$RINGSPAN" show dgx-h100 --svg 2>err.txt || rc=$?
err=$(cat err.txt)
expect_rc 2 "show --svg without dot"
expect_in "$err" "apt-get install graphviz" "the package to install is named"
finish
