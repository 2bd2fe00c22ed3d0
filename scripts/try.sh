#!/usr/bin/env bash
# scripts/try.sh [PRESET]: installs what is missing (Debian packages), builds the command, and asks it
# one question: how long does all_reduce take on an NVLink server and on a PCIe server, and why?
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

preset=${1:-release}
nvlink_system=dgx-h100
pcie_system=rtx-4090-8x-shm

install_missing "$needs_build"
build "$preset" ringspan_command
ringspan=$root/build/$preset/app/cli/ringspan

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for system in "$nvlink_system" "$pcie_system"; do
  say "ringspan run $system all_reduce -b 8 -e 8G -f 2"
  "$ringspan" run "$system" all_reduce -b 8 -e 8G -f 2
  "$ringspan" run "$system" all_reduce -b 8 -e 8G -f 2 --format csv >"$work/$system.csv"
done
