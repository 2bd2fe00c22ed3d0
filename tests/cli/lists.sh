#!/usr/bin/env bash
# What can be listed, and what a picture needs.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

ringspan list
everything=$out
for kind in systems collectives algorithms fabrics links profiles; do
  ringspan list "$kind"
  expect_rc 0 "list $kind"
  expect_in "$everything" "$kind:" "list prints all kinds"
  expect_in "$everything" "$out" "list holds what list $kind prints"
done

ringspan list fabrics
expect_in "$out" "  torus            switches in a grid of 1 to 6 dimensions whose ends meet
                   routings dimension-order minimal valiant
" "a fabric's routings"
# The list is what the readers take: another one is refused.
ringspan show dgx-h100 --set fabric.kind=dragonfly --set fabric.switches_per_group=2 --set fabric.routing=ecmp \
  --set fabric.link=ib-ndr
expect_in "$err" "hint: one of: minimal, valiant" "the routings of a dragonfly"

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
