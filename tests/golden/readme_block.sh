#!/usr/bin/env bash
# readme_block.sh: the example of README.md, made from expected/readme_explain.txt (without the lines
# that name the devices). With --write it is put into README.md; without, README.md must hold it.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
readme=$here/../../README.md
begin='<!-- from tests/golden/renew.sh -->'
end='<!-- end of the example -->'

block() {
  printf '%s\n```\n' "$begin"
  printf '$ ringspan %s\n' "$(sed -n 's/^readme_explain | //p' "$here/cases.txt")"
  awk '/^# Using devices/ { skip = 1 } !skip { print } /^#$/ { skip = 0 }' \
    "$here/expected/readme_explain.txt" | sed 's/ *$//'
  printf '```\n%s\n' "$end"
}

if [ "${1:-}" = --write ]; then
  block >"$here/block.tmp"
  awk -v begin="$begin" -v end="$end" -v file="$here/block.tmp" '
    $0 == begin { while ((getline line < file) > 0) print line; skip = 1 }
    !skip { print }
    $0 == end { skip = 0 }' "$readme" >"$here/readme.tmp"
  rm "$here/block.tmp"
  cat "$here/readme.tmp" >"$readme"
  rm "$here/readme.tmp"
else
  diff -u <(block) <(awk -v begin="$begin" -v end="$end" '
    $0 == begin { on = 1 } on { print } $0 == end { on = 0 }' "$readme") ||
    { echo "README.md shows old numbers: run tests/golden/renew.sh BINARY"; exit 1; }
fi
