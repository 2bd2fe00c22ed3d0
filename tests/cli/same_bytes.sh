#!/usr/bin/env bash
#!/usr/bin/env bash
# same_bytes.sh RINGSPAN_A RINGSPAN_B: the same question gives the same bytes from two builds (g++ and
# clang++), and twice from one.
set -euo pipefail

a=$1
b=$2
compared=0

# same ARGUMENT...: standard output, standard error and exit code of A, of B, and of A again.
same() {
  local first second third
  first=$("$a" "$@" 2>&1 </dev/null; echo "exit $?")
  second=$("$b" "$@" 2>&1 </dev/null; echo "exit $?")
  third=$("$a" "$@" 2>&1 </dev/null; echo "exit $?")
  if [ "$first" != "$second" ] || [ "$first" != "$third" ]; then
    printf 'different bytes: ringspan %s\n' "$*"
    diff <(printf '%s\n' "$first") <(printf '%s\n' "$second") | head -n 10 || true
    diff <(printf '%s\n' "$first") <(printf '%s\n' "$third") | head -n 10 || true
    exit 1
  fi
  # Equal refusals would prove nothing.
  if [ "${first##*exit }" != 0 ]; then
    printf 'failed: ringspan %s\n%s\n' "$*" "$first"
    exit 1
  fi
  compared=$((compared + 1))
}

for what in systems collectives algorithms links profiles; do same list "$what"; done
for system in dgx-h100 dgx-a100 rtx-4090-8x-shm l40s-pcie-8x; do
  same show "$system"
  for collective in all_reduce all_gather reduce_scatter alltoall broadcast reduce; do
    same run "$system" "$collective" -b 8 -e 256M -f 8
  done
  for collective in gather scatter sendrecv; do same run "$system" "$collective" -b 1M -e 1M; done
  same run "$system" all_reduce -b 1K -e 64M -f 16 --format json --explain
  for granularity in stream chunk; do
    same run "$system" all_reduce -b 1M -e 64M -f 64 --granularity "$granularity" --format csv
  done
  same run "$system" all_reduce -b 1M -e 16M -f 16 --network queueing --granularity chunk --format csv
done

measured=$(mktemp)
trap 'rm -f "$measured"' EXIT
{
  echo "system,nodes,gpus,collective,bytes,time_us,case"
  for bytes in 8 65536 67108864; do
    echo "dgx-h100,1,8,all_reduce,$bytes,77.7,a"
    echo "dgx-a100,2,16,alltoall,$bytes,777,b"
    echo "rtx-4090-8x-shm,1,8,all_gather,$bytes,555,c"
  done
} >"$measured"
for format in table csv json; do
  same validate "$measured" --format "$format" --baseline nccl-model
  same validate "$measured" --format "$format" --baseline alpha-beta
done
echo "$compared commands gave the same bytes"
