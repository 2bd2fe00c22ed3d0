#!/usr/bin/env bash
# renew.sh BINARY: writes the expected output of every case of cases.txt anew.
set -eu
binary=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p expected && rm -f expected/*.txt
while IFS= read -r line; do
  case $line in '#'* | '') continue ;; esac
  read -ra arguments <<<"${line#* | }"
  "$binary" "${arguments[@]}" >"expected/${line%% | *}.txt" 2>/dev/null
done <cases.txt
./readme_block.sh --write
