#!/usr/bin/env bash
# scripts/test.sh [PRESET]: installs what is missing (Debian packages), builds everything, runs all
# tests. The last line is the summary. PRESET is one of CMakePresets.json; default: release.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-release}
install_missing "$needs_build$needs_tests"
build "$preset"

say "Running the tests"
log=$root/build/$preset/tests.log
status=0
(cd "$root" && ctest --preset "$preset" -j "$(build_jobs)" </dev/null) 2>&1 | tee "$log" || status=$?
summary=$(grep -E '^[0-9]+% tests passed' "$log" || true)
if [ -z "$summary" ]; then
  echo "error: no test ran" >&2
  exit 1
fi
# CTest says more after its summary (times, skipped tests); scripts read the last line.
printf '\n%s\n' "$summary"
exit "$status"
