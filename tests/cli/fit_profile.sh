#!/usr/bin/env bash
# fit_profile.sh NAME: the built-in profile is, byte for byte, what scripts/fit_profiles.sh makes.
# Skipped without measured tables.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

if [ -z "${RINGSPAN_MEASURED_DIR:-}" ]; then
  echo "skipped: RINGSPAN_MEASURED_DIR is not set"
  exit 77
fi
name=$1
root=$(cd "$here/../.." && pwd)
"$root/scripts/fit_profiles.sh" "$RINGSPAN" "$WORK/fitted" "$name" >table.txt 2>err.txt ||
  fail "the script fails" "$(tail -5 err.txt)"
if ! difference=$(diff "$root/models/cost/profiles/$name.toml" "fitted/$name.toml"); then
  fail "models/cost/profiles/$name.toml is out of date: run scripts/fit_profiles.sh" \
    "$(head -20 <<<"$difference")"
fi
finish
