#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SECONDS TARGET...: builds each reader's libFuzzer target with clang and searches for SECONDS each. What it finds stays
# as fuzz-TARGET-* in the current folder; move a finding into the corpus with its fix.
set -eu
seconds=$1
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
for target; do
  readers=$(echo "$top"/sim/input/*.c)
  case $target in
    measurements | tflite)
      for r in measurements measurements_csv tflite_match tflite_profile; do readers="$readers $top/sim/calibrate/$r.c"; done
      readers="$readers $(echo "$top"/sim/plan/*.c)"
      ;;
  esac
  # shellcheck disable=SC2086
  clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined $CFLAGS -I"$top/sim" -I"$top" \
    -I"$top/tests/fuzz" "$top/tests/fuzz/fuzz_$target.c" "$top"/sim/base/*.c $readers "$top"/sim/model/*.c "$top"/sim/device/*.c -o "fuzz_$target" $LIBS
  mkdir -p "fuzz-corpus-$target"
  "./fuzz_$target" -max_total_time="$seconds" -timeout=10 -max_len=65536 -dict="$top/tests/fuzz/json.dict" -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="fuzz-$target-" "fuzz-corpus-$target" "$top/tests/fuzz/corpus/$target"
done
