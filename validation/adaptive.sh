#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How far is adaptive behind the best fixed policy on phones whose clocks governors set? Runs the 120 cells of doc/policies.md, 10 s each, prints those
# in which it is more than a tenth behind, and the row of that document's table, and fails where the document has another.
# usage, from the project's root: sh validation/adaptive.sh [SEED]; HETSIM: the program
set -u
seed=${1:-1}
case "$seed" in *[!0-9]*) echo "usage: sh validation/adaptive.sh [SEED]" >&2; exit 2 ;; esac
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
export HETSIM="${HETSIM:-./hetsim}" work seed

# a cell's line: the latency under each policy; "-" where the SoC has no such processor
cat >"$work/cell" <<'CELL'
at="$work/$1.$2.$3"
for policy in adaptive cpu cpu-little gpu dsp npu mosaic codl mulayer nn-stretch; do
  "$HETSIM" --soc "$1" --policy $policy "$2" "$3" --runtime=tflite --precision=int8 --duration=10 --seed="$seed" --format=json >"$at.json" 2>"$at.said"
  status=$?
  s=$(sed -n 's/^  "latency_s": \([0-9.e-]*\),.*/\1/p' "$at.json")
  if [ $status -eq 2 ] && grep -q "^hetsim: policy $policy needs an\{0,1\} " "$at.said"; then
    s=-
  elif [ $status -ne 0 ] || [ -z "$s" ]; then
    echo "$* under $policy ends with $status: $(head -1 "$at.said")" >&2
    exit 255
  fi
  printf '%s=%s ' $policy "$s"
done >"$at.line"
CELL
for soc in sd855 kirin960 kirin990 sd865 kirin970 tensor; do
  for model in mobilenet_v1 resnet50 squeezenet inception_v4 yolov2; do
    for load in --governor=schedutil --scenario=browsing --scenario=video-playback --scenario=gaming; do echo $soc $model $load; done
  done
done >"$work/cells"
xargs -P "$(nproc)" -n 3 sh "$work/cell" <"$work/cells" || exit 1
while read -r soc model load; do echo "$soc $model $load $(cat "$work/$soc.$model.$load.line")"; done <"$work/cells" | awk '
{
  best = 0
  for (i = 4; i <= NF; i++) {
    split($i, f, "=")
    if (f[1] == "adaptive") own = f[2]
    else if (f[2] != "-" && (!best || f[2] < best)) { best = f[2]; name = f[1] }
  }
  behind[NR] = own / best - 1
  over10 += behind[NR] > 0.1; over25 += behind[NR] > 0.25
  if (behind[NR] > 0.1) printf "%-9s %-13s %-26s %8.2f ms, %s %.2f: %.0f %%\n", $1, $2, $3, 1e3 * own, name, 1e3 * best, 100 * behind[NR]
}
END {
  for (i = 1; i <= NR; i++) for (k = i + 1; k <= NR; k++) if (behind[k] < behind[i]) { t = behind[i]; behind[i] = behind[k]; behind[k] = t }
  median = 50 * (behind[int((NR + 1) / 2)] + behind[int(NR / 2) + 1])
  printf "| all %d | 10 | %.1f %% | %.0f %% | %d | %d |\n", NR, (median > 0 ? median : 0), 100 * behind[NR], over10, over25
}' >"$work/table"
cat "$work/table"
[ "$seed" -eq 1 ] || exit 0
grep -qF "$(tail -1 "$work/table")" doc/policies.md || { echo "doc/policies.md has another row"; exit 1; }
