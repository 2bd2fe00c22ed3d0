#!/usr/bin/env bash
# Help and version: complete, on standard output, exit code 0.
source "$(dirname "${BASH_SOURCE[0]}")/support.sh"

for spelling in --version version; do
  ringspan "$spelling"
  expect_rc 0 "$spelling"
  expect_same "$out" "ringspan $VERSION" "$spelling is the project's version"
done

for spelling in help --help -h; do
  ringspan "$spelling"
  expect_rc 0 "$spelling"
  for command in run compare sweep list show validate calibrate import help version; do
    expect_in "$out" "  $command " "$spelling names the command"
  done
  expect_same "$err" "" "$spelling says nothing on standard error"
done

for command in run compare sweep list show validate calibrate import; do
  ringspan help "$command"
  page=$out
  expect_rc 0 "help $command"
  for part in "Usage:" "Options:" "Examples:" "Exit status:"; do
    expect_in "$page" "$part" "help $command"
  done
  for spelling in --help -h; do
    ringspan "$command" "$spelling"
    expect_rc 0 "$command $spelling"
    expect_same "$out" "$page" "$command $spelling is the page of help $command"
  done
done

# The contract's options.
ringspan help run
for option in -b -e -f --gpus --nodes --set --seed --trace --dtype --op --root --algo --proto --channels --profile \
              --granularity --network --format -o --explain --emit-tuner --emit-plan; do
  expect_in "$out" "$option" "help run describes every option"
done
# Every option but a switch says its default.
options=$(printf '%s\n' "$out" | sed -n '/^Options:/,/^Examples:/p')
described=$(printf '%s\n' "$options" | grep -c '^  -')
defaults=$(printf '%s\n' "$options" | grep -c 'Default')
[ "$defaults" -ge $((described - 1)) ] || fail "$described options, $defaults defaults" "$options"

# Every option has an example.
examples=$(printf '%s\n' "$options" | grep -c 'Example: ')
expect_same "$examples" $((described - 1)) "examples of options, --help aside"

# The examples of the pages run.
for command in list show; do
  ringspan help "$command"
  while read -r line; do
    case $line in *./my-server.toml*) [ -f my-server.toml ] || continue ;; esac
    read -ra words <<<"$line"
    ringspan "${words[@]:1}"
    expect_rc 0 "example: $line"
  done < <(printf '%s\n' "$out" | sed -n '/^Examples:/,/^Exit/{s/^  ringspan/ringspan/p}')
done
finish
