#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What bash proposes: words as it splits them ("=" and ":" are words of their own), the last one being typed.
set -u
: "${HETSIM:?}" "${HETSIM_DATA:?}"
bash -c 'complete -p >/dev/null 2>&1 || exit 1' || exit 77 # a system without bash, or one without completion
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
"$HETSIM" --completion >"$work/hetsim" || exit 1
mkdir "$work/here" && cd "$work/here" || exit 1
: >mine.json
: >"one more.json"
cat >"$work/propose" <<'BASH'
source "$1"; shift
COMP_WORDS=("$HETSIM" "$@") COMP_CWORD=$#
_hetsim
printf '%s\n' "${COMPREPLY[@]}"
BASH
passed=0 failed=0

# propose WANT WORDS...: all that is proposed, in one line; "A…": among others
propose() {
  want=$1
  shift
  got=$(bash "$work/propose" "$work/hetsim" "$@" 2>&1 | tr '\n' ' ')
  case $want in
  *…) case " $got" in *" ${want%…} "*) ok=1 ;; *) ok=0 ;; esac ;;
  *) [ "$got" = "$want " ] && ok=1 || ok=0 ;;
  esac
  if [ "$ok" -eq 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); printf 'FAIL hetsim %s: proposes %s, not %s\n' "$*" "$got" "$want"; fi
}

propose "calibrate" cal
propose "compare" comp
propose "mobilenet_v1…" mobilenet_v
propose "vgg11 vgg13 vgg16 vgg19" --soc sd855 vgg1
propose "kirin985" --soc = kirin98
propose "kirin985" -s kirin98
propose "mine.json" --soc = mi
propose "mine.json" mine
propose "one more.json" --soc = one
propose "mine.json" calibrate --holdout = mi
propose "--soc=" --so
propose "--policies=" compare --polic
propose "--policy=" explain --polic
propose "fp32 fp16" --precision = fp
propose "gpu,codl" compare --policies = gpu,cod
propose "mulayer" --soc sd855 vgg16 : mul
propose "socs scenarios" list s
propose "kirin970" show soc kirin97
propose "nn-stretch" reproduce nn
propose "table-9" reproduce nn-stretch table-9
propose "mine.json" calibrate mi
propose "" validate x
propose "" --threads 1

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
