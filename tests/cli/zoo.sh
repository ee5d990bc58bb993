#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim-zoo writes exactly the networks that are checked in, and fails cleanly.
set -u
export LC_ALL=C
zoo=${ZOO:-./hetsim-zoo}
data=${HETSIM_DATA:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

result() { # $1 exit status, $2 what
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
  else
    echo "FAILED: $2"
    failed=$((failed + 1))
  fi
}

# $1 exit code, $2 file with the expected standard output, $3 the expected standard error; then the arguments
run() {
  code=$1 stdout=$2 stderr=$3
  shift 3
  "$zoo" "$@" >"$work/out" 2>"$work/err"
  got=$?
  printf '%s' "$stderr" >"$work/expected_err"
  [ "$got" -eq "$code" ] && cmp "$work/out" "$stdout" && diff "$work/err" "$work/expected_err"
  result $? "hetsim-zoo $*: exit code $got, not $code, or other output"
}

mkdir "$work/zoo"
: >"$work/empty"
run 0 "$work/empty" "" "$work/zoo"
for file in "$data"/workloads/*.json; do
  cmp "$file" "$work/zoo/$(basename "$file")"
  result $? "$(basename "$file") is not what the zoo writes"
done
(cd "$data/workloads" && ls ./*.json) >"$work/names"
(cd "$work/zoo" && ls -A) | sed 's,^,./,' | cmp - "$work/names"
result $? "the zoo writes other files than are checked in"

# --list names the same networks
(cd "$data/workloads" && ls ./*.json) | sed 's,^\./,,; s,\.json$,,' | sort >"$work/list"
"$zoo" --list | sort | cmp - "$work/list"
result $? "--list names other networks"

hint="hetsim-zoo: expected one directory or --list
Try 'hetsim-zoo --help'.
"
run 2 "$work/empty" "$hint"
run 2 "$work/empty" "$hint" a b
run 2 "$work/empty" "$hint" ""
run 2 "$work/empty" "$hint" --lists
first=$("$zoo" --list | head -n 1)
run 6 "$work/empty" "hetsim-zoo: $work/none/$first.json.tmp: cannot create: No such file or directory
" "$work/none"

# where a file can't get its name, no part of it is left
mkdir -p "$work/blocked/$first.json"
run 6 "$work/empty" "hetsim-zoo: $work/blocked/$first.json.tmp: cannot rename: Is a directory
" "$work/blocked"
[ "$(ls -A "$work/blocked")" = "$first.json" ]
result $? "something is left beside $first.json: $(ls -A "$work/blocked")"

if [ -w /dev/full ]; then
  "$zoo" --list >/dev/full 2>"$work/err"
  got=$?
  [ "$got" -eq 6 ] && [ "$(cat "$work/err")" = "hetsim-zoo: standard output: cannot write: No space left on device" ]
  result $? "--list to a full disk: exit code $got, $(cat "$work/err")"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
