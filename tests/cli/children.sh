#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Children on one processor and on many.
. "$(dirname "$0")/helpers.sh" || exit 1

echo '{"format": "hetsim-scenario/1", "name": "hot", "title": "t", "source": "s", "thermal": {"replay_c": {"cpu": [[0, 90], [1, 150]]}}}' >"$work/hot.json"
# --- children on one processor and on many: the same bytes, message and status ---
# same ARGS...: but for wall clock times
same() {
  taskset -c "$one" "$HETSIM" "$@" >"$work/stdout" 2>"$work/stderr"
  echo "exit $?" >>"$work/stderr"
  "$HETSIM" "$@" >"$work/stdout.many" 2>"$work/stderr.many"
  echo "exit $?" >>"$work/stderr.many"
  for f in stdout stdout.many; do grep -v wall_clock "$work/$f" >"$work/$f.exact"; done
  if [ -s "$work/stdout" ] && cmp -s "$work/stdout.exact" "$work/stdout.many.exact" && cmp -s "$work/stderr" "$work/stderr.many"; then pass
  else fail "hetsim $*: not the same on one processor: $(diff "$work/stderr" "$work/stderr.many")"; fi
}
if command -v taskset >/dev/null; then
  one=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
  same compare --soc kirin960 squeezenet --policies=gpu,npu,cpu,cpu-little --format=json # the second can't run
  same --soc sd855 --policy codl mobilenet_v1 --noise=30 --format=json
  same --soc sd855 --policy cpu mobilenet_v1 -n 100 --scenario="$work/hot.json" --noise=9 --format=json # none can go on
  same --soc sd855 --policy gpu mobilenet_v1 --noise=300 --format=csv # more than one window
  same reproduce nn-stretch table-9 --format=json
  same reproduce study # its items are children
fi

finish
