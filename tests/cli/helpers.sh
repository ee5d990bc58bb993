# SPDX-License-Identifier: GPL-3.0-or-later
# Read by the scripts beside it, which test what a user sees: exit status, standard output and error of whole commands; nothing half-written after a failure.
set -u
: "${HETSIM:?}" "${HETSIM_DATA:?}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
mkdir "$work/out"
cd "$work/out" || exit 1
passed=0 failed=0

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); printf 'FAIL %s\n' "$*"; }

# refuse STATUS PATTERN ARGS...: fails with this status and message, prints nothing else, leaves no file
refuse() {
  want=$1 pattern=$2
  shift 2
  "$HETSIM" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
  got=$?
  if [ "$got" -ne "$want" ]; then fail "hetsim $*: exit $got, not $want: $(cat "$work/stderr")"
  elif [ -s "$work/stdout" ]; then fail "hetsim $*: printed on standard output"
  elif ! grep -qF -e "$pattern" "$work/stderr"; then fail "hetsim $*: said: $(cat "$work/stderr")"
  elif [ -n "$(ls)" ]; then fail "hetsim $*: left $(ls)"; rm -rf ./*
  elif [ "$got" -eq 2 ] && ! grep -qxF "Try 'hetsim --help'." "$work/stderr"; then fail "hetsim $*: no hint"
  else pass; fi
}

# AddressSanitizer remarks that SimGrid's actors have stacks of their own
without_remarks() { sed '/WARNING: ASan is ignoring requested __asan_handle_no_return/,/^For details see/d'; }

# accept PATTERN ARGS...: succeeds, prints a line with PATTERN, and nothing on standard error
accept() {
  pattern=$1
  shift
  "$HETSIM" "$@" >"$work/stdout" 2>"$work/all" </dev/null
  got=$?
  without_remarks <"$work/all" >"$work/stderr"
  if [ "$got" -ne 0 ]; then fail "hetsim $*: $(cat "$work/stderr")"
  elif [ -s "$work/stderr" ]; then fail "hetsim $*: printed on standard error"
  elif ! grep -qF -e "$pattern" "$work/stdout"; then fail "hetsim $*: no \"$pattern\" in its output"
  else pass; fi
}

run="--soc sd855 --policy gpu squeezenet"

# the last line and the exit status of a script
finish() {
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
