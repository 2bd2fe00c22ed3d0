#!/usr/bin/env bash
# Makes the built-in cost profiles from measured tables: the starting values in
# models/cost/profiles/base, fitted by `ringspan calibrate` to the tables' rows of the GPUs that a
# profile serves. Same tables, same bytes: on any day, from any folder, with any number of threads
# and any compiler. The date that profiles carry is the one in base/date: change it with the tables
# or the starting values.
#
#   RINGSPAN_MEASURED_DIR=DIR scripts/fit_profiles.sh RINGSPAN OUT_DIR [PROFILE...]
#
# All five take about three minutes of one core, nearly all of it for hopper and blackwell.
#
# --rows-per-constant 1: a constant that is not fitted would stay a starting value here, which knows less
# than the 33 rows of volta do.
#
# Left out of the fits, by case, and why (each is still a row of `ringspan validate`):
#   a100sxm40_* but alltoall, a100sxm80_4_all_reduce_1  a cost per channel of an unknown NCCL, 37 us in all
#   a100_*_azurehdr200x8_*                 65 % of the wire, cause unstated
#   rtx2080ti_*                            a third of the PCIe class, rented container
#   a100sxm64_2_sendrecv_1                 NCCL_BUFFSIZE changed, value unstated
#   h200_2x8_gcproce400x8_allgather_1      19 us a network hop below 1 MiB, 4.3 to 6.6 in all other cases over
#                                          InfiniBand and RoCE: a pick of the vendor's own tuner, unstated
#   h100pcie_2_all_reduce_1                NVLink bridge: half of what its links carry, unexplained
set -euo pipefail
export LC_ALL=C

if [ "$#" -lt 2 ] || [ -z "${RINGSPAN_MEASURED_DIR:-}" ]; then
  echo "usage: RINGSPAN_MEASURED_DIR=DIR scripts/fit_profiles.sh RINGSPAN OUT_DIR [PROFILE...]" >&2
  exit 2
fi
ringspan=$1
out=$2
shift 2
profiles=("$@")
[ "${#profiles[@]}" -gt 0 ] || profiles=(volta ampere hopper blackwell pcie)

base=$(cd "$(dirname "$0")/../models/cost/profiles/base" && pwd)
left_out='^(a100sxm40_[248]_all_reduce_1|a100sxm40_8_(all_gather|reduce_scatter|broadcast)_1|a100sxm80_4_all_reduce_1|a100_.*_azurehdr200x8_.*|rtx2080ti_.*|a100sxm64_2_sendrecv_1|h200_2x8_gcproce400x8_allgather_1|h100pcie_2_all_reduce_1)$'

# The systems that a profile serves, as a pattern of the tables' first column.
systems_of() {
  case $1 in
    volta) echo '^(dgx1-v100|dgx2)$' ;;
    ampere) echo 'a100|aws-p4' ;;
    hopper) echo 'h100-8x|h200|h20-|h800|dgx-h100|nd-h100|aws-p5|gcp-a3|gh200' ;;
    blackwell) echo 'b200|b300' ;;
    pcie) echo '^(rtx-|l40s-|l4-|v100-pcie)' ;;
    *) echo "no profile '$1'" >&2 && exit 2 ;;
  esac
}

SOURCE_DATE_EPOCH=$(date -u -d "$(cat "$base/date")" +%s)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
for profile in "${profiles[@]}"; do
  table=$work/$profile.csv
  head -n 1 "$(find "$RINGSPAN_MEASURED_DIR" -maxdepth 1 -name '*.csv' | sort | head -n 1)" >"$table"
  find "$RINGSPAN_MEASURED_DIR" -maxdepth 1 -name '*.csv' | sort | while read -r file; do
    awk -F, -v systems="$(systems_of "$profile")" -v out="$left_out" \
      'FNR > 1 && $1 ~ systems && $NF !~ out' "$file"
  done >>"$table"
  "$ringspan" calibrate "$table" --profile "$base/$profile.toml" --rows-per-constant 1 --seed 0 -o "$out/$profile.toml"
done
