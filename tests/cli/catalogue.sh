#!/usr/bin/env bash
# catalogue.sh PART PARTS: every system of the catalogue can be shown, drawn, printed and read again,
# and run. Of PARTS parts that CTest runs side by side this is PART (from 1).
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"
part=$1 parts=$2

ringspan list systems
expect_rc 0 "list systems"
systems=$(awk '{print $1}' out.txt)
[ "$(wc -l <<<"$systems")" -ge 30 ] || fail "fewer than 30 systems" "$systems"
# Sizes grow along the list: every PARTS-th system, so that each part has small and large ones.
systems=$(awk -v part="$part" -v parts="$parts" 'NR % parts == part % parts' <<<"$systems")

for system in $systems; do
  ringspan show "$system"
  expect_rc 0 "show $system"
  shown=$out
  for section in "Devices" "GPU pairs" "Capacity (per direction)" "Peer-to-peer"; do
    expect_in "$out" "$section" "show $system"
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
finish
