#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim run --noise.
. "$(dirname "$0")/helpers.sh" || exit 1

living="--rivals=cpu=1,gpu=1 --governor=schedutil --temperature=simulated --ui=60"
# --- noise ---
noisy="--soc sd855 --policy gpu --runtime tflite resnet18"
"$HETSIM" $noisy --noise=20 --check --format=json | grep -v wall_clock >a
"$HETSIM" $noisy --noise=20 --check --format=json | grep -v wall_clock >b
if [ -s a ] && cmp -s a b; then pass; else fail "noise gives other bytes the second time"; fi
"$HETSIM" $noisy --noise=20 --seed=2 --format=json | grep fingerprint >b
if grep fingerprint a | cmp -s - b; then fail "another seed has the same noise"; else pass; fi
"$HETSIM" $noisy --noise=1 --format=json | sed '/"noise"/,$d' >b
if [ -s b ] && sed '/"noise"/,$d' a | cmp -s - b; then pass; else fail "the report of 20 runs isn't of the first"; fi
"$HETSIM" $noisy --format=json >c
if [ "$(grep estimate_s a)" = "$(grep estimate_s c)" ]; then pass; else fail "the estimate knows of noise"; fi
if grep -q '"noise"' c; then fail "a run without noise tells of it"; else pass; fi
accept ",1e-06,30,30,,\"sd855\",,,0,\"\",\"--soc=sd855 --policy=band-lst --duration=1 --noise=2 mobilenet_v1@30fps,deadline=1us\",0,,,,,,,,,,,,,,,,e" --soc sd855 --policy band-lst mobilenet_v1@30fps,deadline=1us --duration=1 --noise=2 --format=csv # none ended: empty cells
rm -f a b c
accept "Over 3 runs, of which the above is the first:" $noisy --noise=3 --timeline=t.json --gantt=g.svg
if [ "$(grep -c '"ph": "X"' t.json)" -gt 20 ] && [ -s g.svg ]; then pass; else fail "no timeline of the first of several runs"; fi
rm -f t.json g.svg
accept "Drawn as measured: kernels gpu, transform cpu-gpu, map cpu-gpu, transform gpu-cpu, map gpu-cpu, sync gpu-cpu" $noisy --noise=1
accept "Exact, as nothing is known of their scatter: sync cpu-gpu, launch cpu-gpu" $noisy --noise=1
accept "Drawn as measured: nothing" --soc sd855 --policy dsp squeezenet --noise=2
# percentiles a few per mille apart aren't printed as equal
accept "mobilenet_v2_1.0  throughput" --soc sd855 --runtime tflite --policy cpu mobilenet_v2_1.0 --noise=30
if awk '$1 == "mobilenet_v2_1.0" && ($2 == "throughput" ? $5 == $7 : $7 == $11) { same = 1 } $2 == "latency" { n++ } END { exit same || n != 1 }' "$work/stdout"; then pass
else fail "p5 and p95 look alike: $(grep "^mobilenet_v2_1.0 " "$work/stdout")"; fi
if awk '$2 == "throughput" && NF == 9 { n++; off = 100 * $4 / $3 - $8 } END { exit n != 1 || off < -0.01 || off > 0.01 }' "$work/stdout"; then pass
else fail "std/mean isn't of the columns beside it: $(grep "^mobilenet_v2_1.0 *throughput" "$work/stdout")"; fi
accept ",runs,runs_latency_mean_s,runs_latency_std_s,runs_latency_p5_s,runs_latency_p50_s,runs_latency_p95_s,runs_energy_mean_j," $noisy --noise=2 --format=csv
if [ "$(sed 's/"[^"]*"/x/; s/[^,]//g' "$work/stdout" | sort -u | wc -l)" -eq 1 ]; then pass; else fail "csv: a row has other columns than the head"; fi
accept "Over 3 runs" --soc=sd855 --policy=codl yolov2 mobilenet_v1:cpu squeezenet@poisson:30fps:gpu $living --noise=3 --duration=0.6 --check
for policy in $("$HETSIM" list policies | sed 's/ .*//'); do
  case $policy in exhaustive) set -- --param samples=5;; *) set --;; esac
  accept "Drawn as measured" --soc sd855 --policy "$policy" mobilenet_v1 --noise=2 --check "$@"
done
refuse 2 '--noise: "0" is not a whole number in [1, 100000]' $run --noise=0
refuse 2 '--noise: "-3" is not a whole number' $run --noise=-3
refuse 2 '--noise: "2.5" is not a whole number' $run --noise=2.5
refuse 2 "--noise does not go with hetsim compare" compare --soc sd855 squeezenet --noise=3
refuse 2 "--noise: nothing is known of how durations scatter on kirin960 with runtime mace" --soc kirin960 --policy gpu squeezenet --noise=3
echo '{"format": "hetsim-scenario/1", "name": "hot", "title": "t", "source": "s", "thermal": {"replay_c": {"cpu": [[0, 90], [1, 150]]}}}' >"$work/hot.json"
"$HETSIM" --soc sd855 --policy cpu mobilenet_v1 -n 100 --scenario="$work/hot.json" --noise=2 --check >"$work/stdout" 2>"$work/stderr"
got=$?
if [ "$got" -eq 1 ] && grep -q "hetsim: run 1 of 2: the device shuts down at 0.4 s: cpu has 114.0 C" "$work/stderr" && grep -q "^Latency .*(stopped after 2. of 100)" "$work/stdout" &&
  grep -q "; the above was broken off, and isn't among them:$" "$work/stdout"; then pass
else fail "a device that shuts down in runs with noise: exit $got, $(cat "$work/stderr")"; fi

finish
