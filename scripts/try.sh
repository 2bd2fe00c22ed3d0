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
    function column(name,   i, text) {
      if (name != "bottleneck") return $(at[name])
      text = $0
      for (i = 1; i < at[name]; i++) sub(/^[^,]*,/, "", text)
      if (sub(/^"/, "", text)) sub(/".*/, "", text); else sub(/,.*/, "", text)
      return text
    }
    FNR == 1 { file++; for (i = 1; i <= NF; i++) at[$i] = i; next }
    {
      name[file] = column("system"); bytes[FNR] = column("bytes"); rows = FNR
      time[file, FNR] = column("time_us"); busbw[file, FNR] = column("busbw_gbs")
      limit[file, FNR] = column("bottleneck")
      if (length(limit[file, FNR]) > width[file]) width[file] = length(limit[file, FNR])
    }
    function cell(file, row) {
      return sprintf(" | %10.2f %7.2f  %-*s", time[file, row], busbw[file, row], width[file],
                     limit[file, row])
    }
    function head(file, text) { return sprintf(" | %-*s", 20 + width[file], text) }
    END {
      columns = sprintf("%10s %7s  limited by", "us", "GB/s")
      printf "%10s%s%s | times\n", "", head(1, name[1]), head(2, name[2])
      printf "%10s%s%s | as long\n", "bytes", head(1, columns), head(2, columns)
      for (row = 2; row <= rows; row++)
        printf "%10s%s%s | %7.1f\n", bytes[row], cell(1, row), cell(2, row),
               time[2, row] / time[1, row]
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
say "Try: $(printf %q "${ringspan#"$PWD"/}") run dgx-h100 alltoall --explain"
