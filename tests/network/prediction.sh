#!/usr/bin/env bash
# Measures all_reduce, all_gather and alltoall on the network of lab.sh, with the uplink 1:1, 2:1 and
# 4:1; calibrates on sendrecv and all_reduce at 1:1; predicts all else. Fails above 15 % of median error, or where a
# slow-down by oversubscription is predicted more than 15 % wrong, also when measured once more. Prints what was measured.
set -euo pipefail
lab_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
: "${RINGSPAN:?the command}" "${REPLAY:?the program}" "${WORK:?a folder of our own}"
lab_control=${RINGSPAN_NETWORK_CONTROL:-cubic}
readonly host_mbit=50 largest_error=0.15
source "$lab_folder/lab.sh"

reason=$(lab_missing)
[ -z "$reason" ] || { echo "skipped: $reason"; exit 77; }
lab_remove_stale
rm -rf "$WORK" && mkdir -p "$WORK" && cd "$WORK"
trap lab_remove EXIT
trap 'exit 130' INT TERM HUP

# measure MBIT: the system's file and its measured table, with the uplink at that rate.
measure() {
  sed "s/@NAME@/$1/; s/@MBIT@/$host_mbit/; s/@UPLINK@/$1/" "$lab_folder/system.in.toml" >"uplink-$1.toml"
  lab_uplink "$1"
  # In the background: a signal is handled at once, not when it has ended.
  lab_run "$REPLAY" --plan "$lab_folder/plan.toml" --timing isolated --no-in-place "${@:2}" \
    --system "./uplink-$1.toml" --case "uplink-$1" --format csv -o "$WORK/uplink-$1.csv" \
    >"mpirun-$1.txt" 2>&1 </dev/null &
  wait $! || { cat "mpirun-$1.txt" >&2; exit 1; }
}

# rows FILE TEST: the header, and the rows for which awk's test holds; the pairs' warm-up is none.
rows() { awk -F, '/^#/ { next } /^system,/ || ($9 > 1000000 && ('"$2"'))' "$1"; }

measure_all() {
  measure 200
  # Results were compared with the reference there.
  measure 100 --no-check
  measure 50 --no-check
  rows uplink-200.csv '$5 == "all_reduce" || $5 == "sendrecv"' >fit.csv
  rows uplink-200.csv '$5 == "all_gather" || $5 == "alltoall"' >rest-200.csv
  for uplink in 100 50; do rows uplink-$uplink.csv 1 >rest-$uplink.csv; done
}

predict() {
  # Two rows for two constants.
  "$RINGSPAN" calibrate fit.csv --rows-per-constant 1 --profile "$lab_folder/profile.toml" -o mpi.toml >calibrate.txt 2>notes.txt
  echo "# calibrated on sendrecv and all_reduce, 1:1:"
  sed -nE 's/^ +(algorithm\.default\.network_step|link_share\.network)/#   \1/p' calibrate.txt
  echo "# congestion control: $lab_control"
  "$RINGSPAN" validate rest-*.csv --profile mpi.toml --format csv >predicted.csv 2>>notes.txt
  "$RINGSPAN" validate fit.csv --profile mpi.toml --format csv >fitted.csv 2>>notes.txt
}

# Errors, and slow-downs against 1:1, of measured and predicted times.
judge() {
  awk -F, -v most=$largest_error '
  function magnitude(x) { return x < 0 ? -x : x }
  FNR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i; next }
  {
    split($at["case"], name, "-")
    key = $at["collective"] " " $at["bytes"]
    time[key, name[2]] = $at["time_us"]
    predicted[key, name[2]] = $at["predicted_us"]
    if (FILENAME == "predicted.csv") errors[++count] = magnitude($at["rel_error"])
    if (!(key in seen)) { seen[key] = 1; keys[++kinds] = key }
  }
  END {
    printf "%-11s %8s %6s %14s %14s %7s %21s %7s\n", "collective", "bytes", "uplink", "measured(us)", "predicted(us)", "error", "slow-down, predicted", "error"
    split("200 100 50", uplinks, " ")
    for (k = 1; k <= kinds; ++k) for (u = 1; u <= 3; ++u) {
      key = keys[k]; split(key, part, " "); up = uplinks[u]
      slow = time[key, up] / time[key, 200]
      slow_predicted = predicted[key, up] / predicted[key, 200]
      off = slow_predicted / slow - 1
      if (magnitude(off) > most) bad = 1
      printf "%-11s %8d %6s %14.0f %14.0f %6.1f%% %9.3f %11.3f %6.1f%%\n", part[1], part[2], 200 / up ":1", time[key, up], predicted[key, up], 100 * (predicted[key, up] / time[key, up] - 1), slow, slow_predicted, 100 * off
    }
    for (i = 1; i <= count; ++i) for (j = i + 1; j <= count; ++j) if (errors[j] < errors[i]) { t = errors[i]; errors[i] = errors[j]; errors[j] = t }
    median = count % 2 ? errors[(count + 1) / 2] : (errors[count / 2] + errors[count / 2 + 1]) / 2
    printf "median error of the %d rows that were not fitted: %.1f %% (at most %.0f %%)\n", count, 100 * median, 100 * most
    if (median > most) bad = 1
    if (count != 10) { print "rows are missing"; bad = 1 }
    exit bad
  }' predicted.csv fitted.csv
}

lab_build $host_mbit
measure_all
predict
judge || {
  # Whatever else ran on the machine may have taken the cores for a while.
  echo "# over the limits: measured once more"
  measure_all
  predict
  judge
}
