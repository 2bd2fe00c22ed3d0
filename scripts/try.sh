#!/usr/bin/env bash
# scripts/try.sh [PRESET]: installs what is missing (Debian packages), builds the command, and asks it
# one question: how long does all_reduce take on an NVLink server and on a PCIe server, and why?
# PRESET is one of CMakePresets.json; default: release.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-release}
question=(all_reduce -b 8 -e 8G -f 2)
systems=(dgx-h100 rtx-4090-8x-shm)

# side_by_side FILE_A FILE_B: two CSV results of the same sizes as one table.
side_by_side() {
  awk -F, '
    # The text of column `name`; only "bottleneck" may hold commas, and then it is quoted.
    function column(name,   text) {
      if (name != "bottleneck") return $(at[name])
      text = $0
      for (i = 1; i < at[name]; i++) sub(/^[^,]*,/, "", text)
      if (sub(/^"/, "", text)) sub(/".*/, "", text); else sub(/,.*/, "", text)
      return text
    }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
    file == 1 {
      name_a = column("system"); time_a[FNR] = column("time_us")
      busbw_a[FNR] = column("busbw_gbs"); limit_a[FNR] = column("bottleneck"); next
    }
    FNR == 2 {
      printf "%-10s  | %-52s | %-52s | %s\n", "", name_a, column("system"), "times as long"
      printf "%10s  | %11s %8s  %-31s | %11s %8s  %-31s |\n", "bytes", "us", "GB/s",
             "limited by", "us", "GB/s", "limited by"
    }
    {
      printf "%10s  | %11.2f %8.2f  %-31s | %11.2f %8.2f  %-31s | %.1f x\n", column("bytes"),
             time_a[FNR], busbw_a[FNR], limit_a[FNR], column("time_us"), column("busbw_gbs"),
             column("bottleneck"), column("time_us") / time_a[FNR]
    }' "$1" "$2"
}

install_missing "$needs_build"
build "$preset" ringspan_command
ringspan=$root/build/$preset/app/cli/ringspan

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for system in "${systems[@]}"; do
  printf '\n'
  say "ringspan run $system ${question[*]}"
  "$ringspan" run "$system" "${question[@]}"
  "$ringspan" run "$system" "${question[@]}" --format csv -o "$work/$system.csv"
done

printf '\n'
say "Side by side: time and bus bandwidth, out of place, and what limits each"
side_by_side "$work/${systems[0]}.csv" "$work/${systems[1]}.csv"
printf '\n'
say "Try: ${ringspan#"$PWD"/} run dgx-h100 alltoall --explain"
