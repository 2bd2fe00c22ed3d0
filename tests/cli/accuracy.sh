#!/usr/bin/env bash
# docs/accuracy.md is what scripts/accuracy.sh makes of the profiles as they are; a marker that means
# nothing is refused. Skipped without measured tables.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

if [ -z "${RINGSPAN_MEASURED_DIR:-}" ]; then
  echo "skipped: RINGSPAN_MEASURED_DIR is not set"
  exit 77
fi
root=$(cd "$here/../.." && pwd)
"$root/scripts/accuracy.sh" "$RINGSPAN" "$WORK/accuracy.md" || fail "the script fails"
if ! difference=$(diff "$root/docs/accuracy.md" accuracy.md); then
  fail "docs/accuracy.md is out of date: run scripts/accuracy.sh" "$(head -20 <<<"$difference")"
fi

# In a copy of the tree whose text asks for a table that is not there.
mkdir -p copy/docs copy/scripts few
cp "$root/scripts/accuracy.sh" copy/scripts/
cp "$RINGSPAN_MEASURED_DIR/l4.csv" few/
rc=0
echo '<!-- table nccl-model: Rowz -->' >copy/docs/accuracy.in.md
RINGSPAN_MEASURED_DIR=few copy/scripts/accuracy.sh "$RINGSPAN" page.md 2>err.txt || rc=$?
err=$(cat err.txt)
expect_rc 2 "a table that is not there"
expect_in "$err" 'docs/accuracy.in.md:1: nothing is found under "Rowz" of nccl-model' "which is named"
[ ! -e page.md ] || fail "a page is left behind"
finish
