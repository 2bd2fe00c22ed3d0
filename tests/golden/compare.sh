#!/usr/bin/env bash
# compare.sh BINARY NAME: the output of one case of cases.txt against expected/NAME.txt.
set -eu
binary=$(realpath "$1") name=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"  # cases name files in clusters/
line=$(grep "^$name | " "$here/cases.txt")
read -ra arguments <<<"${line#* | }"
"$binary" "${arguments[@]}" 2>/dev/null | diff -u "$here/expected/$name.txt" - || {
  echo "moved: if that is meant, run tests/golden/renew.sh BINARY and say so in CHANGELOG.md"
  exit 1
}
