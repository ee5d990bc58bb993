#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every network that ships with every pass of --opt: it runs and keeps the invariants, or says which operator or rule is in the way.
set -u
: "${HETSIM:?}" "${HETSIM_DATA:?}"
passed=0 ran=0 failed=0
for model in "$HETSIM_DATA"/workloads/*.json; do
  name=$(basename "$model" .json)
  for opt in prune=0.3 lowrank=0.5 quantize=int8 fuse memplan prune=0.3,lowrank=0.5,quantize=int8,memplan; do
    said=$("$HETSIM" --soc sd855 --policy cpu "$name" --opt=$opt --check --format=csv 2>&1 </dev/null)
    case "$?:$said" in
      0:*) ran=$((ran + 1)) passed=$((passed + 1)) ;;
      "3:hetsim: --opt: fuse on $name: no rule applies"*) passed=$((passed + 1)) ;;
      "3:hetsim: --opt: prune=0.3 on $name: no convolution would lose channels"*) passed=$((passed + 1)) ;; # tests/model/test_optimise.c has which
      *) failed=$((failed + 1)) && echo "$name --opt=$opt: $said" ;;
    esac
  done
done
echo "$ran ran, the others are refused as they should be"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$ran" -ge 2300 ]
