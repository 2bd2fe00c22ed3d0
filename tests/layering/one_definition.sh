#!/usr/bin/env bash
# one_definition.sh ROOT: no two headers define a type of the same name in the same namespace. The linker would keep
# one of the two types' functions for both, without a word.
set -euo pipefail
cd "$1"
# "namespace::Type file", of definitions at the beginning of a line; forward declarations end in ';'.
definitions=$(find sim topologies models validation app -name '*.h' -print0 | sort -z | xargs -0 awk '
  FNR == 1 { inside = "" }
  /^namespace [A-Za-z_:]+ \{/ { inside = $2 }
  /^(struct|class|enum class|enum) [A-Za-z_][A-Za-z0-9_]*([^;(]*\{.*|[^;(]*)$/ {
    name = $2 == "class" ? $3 : $2
    if ($0 !~ /;$/ || $0 ~ /\{/) print inside "::" name, FILENAME
  }')
repeated=$(cut -d' ' -f1 <<<"$definitions" | sort | uniq -d)
[ "$(wc -l <<<"$definitions")" -gt 200 ] || { echo "only $(wc -l <<<"$definitions") types found"; exit 1; }
[ -z "$repeated" ] && exit 0
echo "defined more than once:"
while read -r name; do grep -F "$name " <<<"$definitions" | grep "^$name "; done <<<"$repeated"
exit 1
