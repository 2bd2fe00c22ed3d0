#!/usr/bin/env bash
# Makes docs/accuracy.md: the text of docs/accuracy.in.md with the tables of `ringspan validate` over
# all measured tables put in. Same tables and same profiles, same bytes.
#
#   RINGSPAN_MEASURED_DIR=DIR scripts/accuracy.sh RINGSPAN [OUT]
#
# A line of the text that is
#   <!-- table BASELINE: HEADING -->   becomes the table under HEADING of `validate --format md
#                                      --baseline BASELINE`
#   <!-- cases REGEX -->               the lines of the cases whose name matches, of their table
# Anything that is not found ends the script with 2, and OUT stays as it was.
set -euo pipefail

if [ "$#" -lt 1 ] || [ -z "${RINGSPAN_MEASURED_DIR:-}" ]; then
  echo "usage: RINGSPAN_MEASURED_DIR=DIR scripts/accuracy.sh RINGSPAN [OUT]" >&2
  exit 2
fi
docs=$(cd "$(dirname "$0")/../docs" && pwd)
ringspan=$1
out=${2:-$docs/accuracy.md}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t tables < <(find "$RINGSPAN_MEASURED_DIR" -maxdepth 1 -name '*.csv' | LC_ALL=C sort)
[ "${#tables[@]}" -gt 0 ] || { echo "error: no table in $RINGSPAN_MEASURED_DIR" >&2; exit 2; }
for baseline in nccl-model alpha-beta; do
  "$ringspan" validate "${tables[@]}" --format md --baseline "$baseline" -o "$work/$baseline" 2>"$work/notes" ||
    { cat "$work/notes" >&2; exit 2; }
done

LC_ALL=C awk -v folder="$work" '
  function fail(what) { print "error: docs/accuracy.in.md:" FNR ": " what >"/dev/stderr"; failed = 1; exit 2 }
  # The lines under a heading; only those whose first cell matches, where a pattern is given.
  function insert(file, heading, pattern,    line, inside, lines, taken, cells) {
    inside = lines = taken = 0
    while ((getline line <(folder "/" file)) > 0) {
      if (line ~ /^## /) inside = (line == "## " heading)
      else if (inside && line ~ /^\|/) {
        split(line, cells, / *\| */)
        if (++lines <= 2 || pattern == "" || cells[2] ~ pattern) { print line; ++taken }
      }
    }
    close(folder "/" file)
    if (taken <= 2) fail("nothing is found under \"" heading "\" of " file " " pattern)
  }
  /^<!-- table .*: .* -->$/ {
    file = $3
    sub(/:$/, "", file)
    heading = $0
    sub(/^<!-- table [^:]*: /, "", heading)
    sub(/ -->$/, "", heading)
    insert(file, heading, "")
    next
  }
  /^<!-- cases .* -->$/ { insert("nccl-model", "Cases", $3); next }
  /^<!-- (table|cases)/ { fail("what is meant?") }
  { print }
  END { if (failed) exit 2 }
' "$docs/accuracy.in.md" >"$work/page"
mv "$work/page" "$out"
