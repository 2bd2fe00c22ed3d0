#!/usr/bin/env bash
# Measurements with a fault of each kind, given to validate and calibrate: the row and the column are
# named, nothing comes out, the exit code is 2; with --keep-going the good rows count all the same.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

head=system,nodes,gpus,nccl,collective,algorithm,protocol,dtype,bytes,time_us,launch,env,case
good=dgx-h100,1,8,,all_reduce,,,float,1048576,40,processes,,good

# refused FILE TEXT...: by both commands, with every TEXT in the message.
refused() {
  local file=$1 command text
  shift
  for command in "validate $file" "calibrate $file -o $file.toml"; do
    # shellcheck disable=SC2086
    ringspan $command --system dgx-h100
    expect_rc 2 "$command"
    expect_same "$out" "" "$command prints nothing"
    for text in "$@"; do expect_in "$err" "$text" "$command"; done
    expect_not_in "$err" internal "$command"
  done
  [ ! -e "$file.toml" ] || fail "$file: a profile was written" "$(head -3 "$file.toml")"
}

# kept FILE GOOD ROWS: so many good rows, of so many in all.
kept() {
  ringspan validate "$1" --keep-going --system dgx-h100
  expect_rc 2 "validate $1 --keep-going"
  expect_in "$out" "validate: $2 of $3 measured rows" "validate $1 --keep-going"
  ringspan calibrate "$1" -o "$1.toml" --keep-going --system dgx-h100 --rows-per-constant 1
  expect_rc 2 "calibrate $1 --keep-going"
  expect_in "$out" "calibrate: $2 measured row" "calibrate $1 --keep-going"
  [ -e "$1.toml" ] || fail "$1: no profile with --keep-going" "$err"
}

# row CELLS... | what the message says, without "bad.csv:3:COLUMN: error: row 2, "
while IFS='|' read -r row message; do
  [ -n "$row" ] || continue
  printf '%s\n' "$head" "$good" "$row" >bad.csv
  rm -f bad.csv.toml
  refused bad.csv "bad.csv:3:" "error: row 2$message"
  kept bad.csv 1 2
done <<'EOF'
dgx-h999,1,8,,all_reduce,,,float,64,40,,,x|, column system: unknown system 'dgx-h999'
./no.toml,1,8,,all_reduce,,,float,64,40,,,x|, column system: no such file
-,1,8,,all_reduce,,,float,64,40,,,x|, column system: '-' is no system
dgx-h100,-1,8,,all_reduce,,,float,64,40,,,x|, column nodes: '-1' is no whole number
dgx-h100,1,0,,all_reduce,,,float,64,40,,,x|, column gpus: '0' is no whole number
dgx-h100,1,8 GPUs,,all_reduce,,,float,64,40,,,x|, column gpus: '8 GPUs' is no whole number
dgx-h100,1,16,,all_reduce,,,float,64,40,,,x|, column gpus: dgx-h100 has 8 GPUs, 16 were asked for
dgx-h100,3,8,,all_reduce,,,float,64,40,,,x|, column gpus: --nodes 3 --gpus 8
dgx-h100,2147483647,8,,all_reduce,,,float,64,40,,,x|, column nodes: 2147483647 servers are too many
dgx-h100,1,8,,all_reduc,,,float,64,40,,,x|, column collective: unknown collective 'all_reduc'
dgx-h100,1,8,,all_reduce,rin,,float,64,40,,,x|, column algorithm: unknown algorithm 'rin'
dgx-h100,1,8,,alltoall,ring,,float,64,40,,,x|, column algorithm: 'ring' cannot do alltoall
dgx-h100,1,8,,all_reduce,,ll129,float,64,40,,,x|, column protocol: unknown protocol 'll129'
dgx-h100,1,8,,all_reduce,,,floats,64,40,,,x|, column dtype: unknown data type 'floats'
dgx-h100,1,8,,all_reduce,,,float,64K,40,,,x|, column bytes: '64K' is no whole number
dgx-h100,1,8,,all_reduce,,,float,-64,40,,,x|, column bytes: '-64' is no whole number
dgx-h100,1,8,,all_reduce,,,float,1e6,40,,,x|, column bytes: '1e6' is no whole number
dgx-h100,1,8,,all_reduce,,,float,,40,,,x|, column bytes: the cell is empty
dgx-h100,1,8,,all_reduce,,,float,99999999999999999999,40,,,x|, column bytes: '99999999999999999999' is no
dgx-h100,1,8,,all_reduce,,,float,7,40,,,x|, column bytes: 7 bytes are no whole number of elements of float
dgx-h100,1,8,,all_reduce,,,float,64,40us,,,x|, column time_us: '40us' is no number
dgx-h100,1,8,,all_reduce,,,float,64,,,,x|, column time_us: the cell is empty
dgx-h100,1,8,,all_reduce,,,float,64,nan,,,x|, column time_us: 'nan' is no number
dgx-h100,1,8,,all_reduce,,,float,64,inf,,,x|, column time_us: 'inf' is no number
dgx-h100,1,8,,all_reduce,,,float,64,0,,,x|, column time_us: '0' is no time
dgx-h100,1,8,,all_reduce,,,float,64,-40,,,x|, column time_us: '-40' is no time
dgx-h100,1,8,,all_reduce,,,float,64,1e300,,,x|, column time_us: '1e300' is no time that can be
dgx-h100,1,8,,all_reduce,,,float,64,"1,5",,,x|, column time_us: '1,5' is no number
dgx-h100,1,8,,all_reduce,,,float,64,1,5,,,x| has 14 cells, the header has 13
dgx-h100,1,8,,all_reduce,,,flo| has 8 cells, the header has 13: it ends in the column dtype
dgx-h100,1,8,,all_reduce,,,float,64,40,,,"x| has a quote that is not closed
dgx-h100,1,8,,all_reduce,,,float,1048576,41,processes,,good| repeats bad.csv:2 in every column but time_us
EOF

# A size that takes longer than the clock goes, among good ones of its series: calibrate, which predicts
# again and again, ends there.
printf '%s\n' "$head" "$good" "${good/1048576/4611686018427387904}" "${good/1048576/64}" >long.csv
ringspan validate long.csv
expect_rc 2 "a size beyond the clock"
expect_in "$err" "long.csv:3:34: error: row 2, column bytes: the simulated time grows past 25 days" "which"
ringspan validate long.csv --keep-going
expect_in "$out" "2 of 3 measured rows" "the others of its series"
ringspan calibrate long.csv -o long.toml
expect_rc 2 "calibrate, a size beyond the clock"
expect_in "$err" "long.csv:2: error: row 1 and 2 more of its series: the simulated time grows" "its series"

# All that is wrong with a file is told at once, in its order.
printf '%s\n' "$head" dgx-h999,1,8,,all_reduce,,,float,64,40,,,x dgx-h100,1,8,,all_reduce,,,float,64K,40,,,x \
  dgx-h100,1,9,,all_reduce,,,float,64,40,,,x >all.csv
ringspan validate all.csv
expect_same "$(grep -o '^all.csv:[0-9]*' <<<"$err" | tr '\n' ' ')" "all.csv:2 all.csv:3 all.csv:4 " "every row"

# Whole files.
: >empty.csv
refused empty.csv "empty.csv: error: the file is empty"
printf '\n \n' >blank.csv
refused blank.csv "blank.csv: error: the file is empty"
refused /dev/null "/dev/null: error: the file is empty"
mkdir folder
refused folder "folder: error: is a directory, not a file"
refused nowhere.csv "nowhere.csv: error: no such file"
echo "$head" >header.csv
refused header.csv "header.csv:1: error: the table has no rows"
echo "$good" >headless.csv
refused headless.csv "headless.csv:1: error: the file is of no known format"
printf '%s\n' "${head/bytes,/}" "${good/1048576,/}" >missing.csv
refused missing.csv "missing.csv:1: error: the column bytes is missing"
printf '%s\n' "${head/env/bytes}" "$good" >twice.csv
refused twice.csv "error: the column bytes is there twice"
tr , ';' <all.csv >semicolons.csv
refused semicolons.csv "semicolons.csv:1:7: error: the cells are separated by ';'"
tr , '\t' <all.csv >tabs.csv
refused tabs.csv "tabs.csv:1:7: error: the cells are separated by tabs"
printf '\xff\xfes\0y\0s\0' >utf16.csv
refused utf16.csv "utf16.csv:1: error: the file is UTF-16"
head -c 4000 "$RINGSPAN" >binary
refused binary "binary:1: error: the file is of no known format"

# What is unusual and not wrong.
{ printf '\xef\xbb\xbf'; printf '%s\r\n' "$head,extra" "$good,1"; } >dos.csv
ringspan validate dos.csv
expect_rc 0 "byte order mark, CRLF, one more column"
expect_in "$out" "1 of 1 measured rows" "its row"
expect_in "$err" "dos.csv:1:90: note: the column 'extra' is not used" "the column is told"
printf '%s\n' "\"${head//,/\",\"}\"" "\"${good//,/\",\"}\"" | ringspan validate -
expect_rc 0 "all cells in quotes, a pipe"
mkfifo pipe
printf '%s\n%s' "$head" "$good" >pipe &
ringspan validate pipe
expect_rc 0 "a named pipe, no end of the last line"
printf '%s\n' "$head" "${good/all_reduce/all_gather}" "dgx-h100,1,8,,all_gather,,,float,100,40,processes,,good" >uneven.csv
ringspan validate uneven.csv
expect_rc 0 "a size that does not go up in elements per rank"
expect_in "$err" "note: the size is no whole number of elements per rank: rounded down (1 row)" "is told"

# A log of nccl-tests that is cut off wherever it may be: what is left of its rows stands.
ringspan run dgx-h100 all_reduce -b 1M -e 4M
printf '%s\n' "$out" | sed -n '1,/# Out of bounds/p' | sed 's/nThread 1 nGpus 1/nThread 1 nGpus 8/' >whole.log
ringspan validate whole.log --system dgx-h100
expect_rc 0 "the whole log"
rows=$(grep -n '^ *[0-9]' whole.log | cut -d: -f1)
for row in $rows; do
  head -n $((row - 1)) whole.log >before.log
  { cat before.log; sed -n "${row}p" whole.log | cut -c 1-60; } >within.log
  number=$(grep -c '^ *[0-9]' before.log)
  for log in before within; do
    refused $log.log "$log.log:"
    [ "$number" = 0 ] || kept $log.log "$number" $((number + $([ $log = within ] && echo 1 || echo 0)))
    rm -f $log.log.toml
  done
done

# Formats may be mixed.
printf '%s\n' "$head" "$good" >good.csv
ringspan validate good.csv whole.log --system dgx-h100
expect_rc 0 "a table and a log"
expect_in "$out" "4 of 4 measured rows, 2 cases" "both are read"
ringspan validate good.csv within.log empty.csv --system dgx-h100 --keep-going
expect_rc 2 "a bad log among them"
expect_in "$out" "3 of 4 measured rows" "good rows of both"
finish
