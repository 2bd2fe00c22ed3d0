#!/usr/bin/env bash
# Sourced by the scripts beside it: a fresh folder, and checks that say what they saw.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${RINGSPAN:?the binary}" "${WORK:?a folder of our own}"
rm -rf "$WORK" && mkdir -p "$WORK" && cd "$WORK" || exit 1
failures=0
rc=0 out="" err=""

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  shift
  printf '  | %s\n' "$@"
}

# ringspan ARGUMENTS...: leaves out, err and rc.
ringspan() {
  rc=0
  "$RINGSPAN" "$@" >out.txt 2>err.txt || rc=$?
  out=$(cat out.txt)
  err=$(cat err.txt)
}

expect_rc() { [ "$rc" = "$1" ] || fail "exit code $rc instead of $1: $2" "$err"; }
expect_in() { case $1 in *"$2"*) ;; *) fail "'$2' is missing: $3" "$1" ;; esac }
expect_not_in() { case $1 in *"$2"*) fail "'$2' is there: $3" "$1" ;; esac }
expect_same() { [ "$1" = "$2" ] || fail "differs: $3" "$1" "instead of" "$2"; }

finish() {
  [ "$failures" = 0 ] || { echo "$failures checks failed"; exit 1; }
  echo "all checks passed"
}
