#!/usr/bin/env bash
# The forms of results that scripts rely on.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

# The defaults are -b 8 -e 1G -f 2: 28 rows.
ringspan run dgx-h100 all_reduce --format csv
expect_same "$(wc -l <out.txt)" 29 "default sizes"
expect_in "$(sed -n 2p out.txt)" ",8," "the smallest default size"
expect_in "$(tail -1 out.txt)" ",1073741824," "the largest default size"
expect_same "$(head -1 out.txt | cut -d, -f1-12)" \
  "system,nodes,gpus,nccl,collective,algorithm,protocol,channels,bytes,time_us,algbw_gbs,busbw_gbs" \
  "columns"

# nccl-tests' rows have 13 fields.
ringspan run dgx-h100 all_reduce -b 8 -e 1M
expect_same "$(grep -v '^#' out.txt | awk '{print NF}' | sort -u)" 13 "fields of a row"
expect_in "$out" "# Avg bus bandwidth    : " "the line that scripts look for"

# Sizes.
ringspan run dgx-h100 all_reduce -b 2G --format csv
expect_same "$(awk -F, 'NR>1{print $9}' out.txt)" 2147483648 "-b above 1G alone is one row"
ringspan run dgx-h100 all_reduce -b 0 -e 32 --format csv
expect_same "$(awk -F, 'NR>1{print $9}' out.txt | xargs)" "0 8 16 32" "-b 0 goes on from 8"
ringspan run dgx-h100 all_reduce -b 1KB -e 1KB --format csv
expect_same "$(awk -F, 'NR>1{print $9}' out.txt)" 1000 "KB is decimal"
expect_in "$err" "note: -b 1KB is 1000 bytes" "a decimal unit is noted"
ringspan run dgx-h100 all_reduce -b 32768T -e 32768T --format csv
expect_rc 0 "2^55 bytes"
expect_in "$out" ",36028797018963968," "2^55 bytes"
expect_in "$err" "warning: " "larger than a GPU's memory"

# One rank and no bytes are answered.
ringspan run dgx-h100 all_reduce --gpus 1 -b 1M -e 1M --format csv
expect_rc 0 "one rank"
expect_same "$(awk -F, 'NR>1{print $12}' out.txt)" 0 "busbw of one rank"

# Same bytes out, twice.
for format in table csv json; do
  ringspan run dgx-a100 alltoall -b 1K -e 16M --format "$format" --explain
  first=$out$err
  ringspan run dgx-a100 alltoall -b 1K -e 16M --format "$format" --explain
  expect_same "$out$err" "$first" "$format of the same run"
done

# Standard input as a system, and a changed value.
ringspan show dgx-h100 --toml -o mine.toml
"$RINGSPAN" run - all_reduce -b 1M -e 1M --format csv <mine.toml >out.txt 2>err.txt
expect_same "$(wc -l <out.txt)" 2 "a system from standard input"
ringspan run dgx-h100 all_reduce -b 1M -e 1M --format csv --set name=mine
expect_in "$out" "mine,1,8," "--set changes a value"

# An option without meaning is noted, not ignored in silence.
ringspan run dgx-h100 all_gather -b 1M -e 1M --op max --root 2
expect_rc 0 "--op for all_gather"
expect_in "$err" "note: --op has no meaning for all_gather" "--op"
expect_in "$err" "note: --root has no meaning for all_gather" "--root"

# A version that is not modelled is told as what it is taken.
ringspan run dgx-h100 all_reduce -b 1M -e 1M --nccl 2.8.3 --format csv
expect_rc 0 "an old NCCL"
expect_same "$err" "note: NCCL 2.8.3 is taken as 2.18, the oldest one modelled" "an old NCCL"
old=$out
ringspan run dgx-h100 all_reduce -b 1M -e 1M --nccl 2.18 --format csv
expect_same "$out$err" "$old" "the oldest one"
finish
