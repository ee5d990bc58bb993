#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Requests that come in a stream: a network that starves, requests that are dropped.
. "$(dirname "$0")/helpers.sh" || exit 1

# --- a network that starves: reported until then ---
"$HETSIM" --soc kirin990 --policy band-sel resnet50 vgg16 mobilenet_v1 -n 3 --check >"$work/stdout" 2>"$work/stderr"
got=$?
if [ "$got" -eq 1 ] && grep -q "resnet50 starves: policy band-sel lets it wait since 0 s" "$work/stderr" && grep -q "^resnet50 *band-sel *tflite *0 " "$work/stdout"; then pass
else fail "a run that can't end: exit $got, $(cat "$work/stderr")"; fi
# its first piece is a Pad on the CPU, which XNNPACK's convolution would take in if it ran there, too, and not on the NPU
accept "Latency" --soc kirin970 --runtime tflite-xnnpack --policy band-sel efficientnet_edgetpu_s --check
accept "3 unfinished, waiting or in flight when the time was up" --soc kirin990 --policy band-sel resnet50 vgg16 mobilenet_v1 --duration 1 --check
# one waits that came together with those that are dropped, which is no breach of the order in which they come
"$HETSIM" --soc kirin970 --policy tf-little ghostnet,deadline=1ms:band-lst resnet34@30fps --duration 1 --check >"$work/stdout" 2>"$work/stderr"
got=$?
if [ "$got" -eq 1 ] && grep -q "ghostnet,deadline=1ms:band-lst starves" "$work/stderr" && grep -q "^resnet34@30fps *tf-little *tflite *0 " "$work/stdout"; then pass
else fail "a request that waits beside refused ones: exit $got, $(cat "$work/stderr")"; fi
# of a network that runs back to back each request is dropped as it comes: time would stand still
for end in "--duration 0.1" "-n 3"; do
  timeout 60 "$HETSIM" --soc sd888 --runtime mace --precision fp32 --policy cpu-little yolov2 resnet18,deadline=5ms:band-lst $end --check >"$work/stdout" 2>"$work/stderr"
  got=$?
  if [ "$got" -eq 1 ] && grep -q "policy band-lst drops each of its requests as it comes" "$work/stderr" && grep -q "1000     1000           0$" "$work/stdout"; then pass
  else fail "requests dropped as they come, $end: exit $got, $(cat "$work/stderr")"; fi
done
accept "1500     1500" --soc sd888 --runtime mace --precision fp32 resnet18,deadline=5ms:band-lst -n 1500 --check
# adaptive leaves the NPU when a rival comes, and goes back when it has gone, though a deadline was missed there: half of the requests take 2.58 ms, not 4.34
cat >"$work/rival.json" <<'RIVAL'
{"format": "hetsim-scenario/1", "name": "t", "title": "t", "source": "t", "processes": [{"name": "a", "phases": [{"from_s": 5, "to_s": 6, "npu_frac": 1}]}]}
RIVAL
accept "p50 2.58 ms" --soc kirin990 --policy adaptive mobilenet_v1@100fps,deadline=4.8ms --duration=100 --scenario="$work/rival.json"
accept "p50 4.34 ms" --soc kirin990 --policy adaptive mobilenet_v1@100fps,deadline=4.8ms --duration=20 --scenario="$work/rival.json" # but not at once
# names of processes may differ at their end only, and yet each draws random numbers of its own: if all bursts coincided they took a tenth less energy
energy_of() {
  for n in 1 2; do printf '{"name": "%s%d", "arrivals": "poisson", "phases": [{"threads": 1, "duty_frac": 0.3}]}\n' "$1" $n; done | paste -sd, >"$work/processes"
  printf '{"format": "hetsim-scenario/1", "name": "t", "title": "t", "source": "t", "processes": [%s]}' "$(cat "$work/processes")" >"$work/named.json"
  "$HETSIM" --soc sd855 --policy cpu mobilenet_v1@0.01fps --scenario="$work/named.json" --duration=300 --format=json | sed -n 's/.*"energy_j": {.*"cpu-little": \([0-9.]*\), .*/\1/p'
}
if awk -v long="$(energy_of "$(printf '%062d' 0)")" -v short="$(energy_of p)" 'BEGIN { exit !(long > 0.97 * short && long < 1.03 * short) }'; then pass
else fail "processes whose names differ in the 63rd letter have each other's bursts"; fi
# who is late is dropped when it is picked for a free worker, so another network's requests drop nobody
drops() { "$HETSIM" --soc kirin960 --policy "$1" vgg16 inception_v4 squeezenet,deadline=1ms "mobilenet_v1@$2fps" --duration 3 --format=csv --check | sed 's|"[^"]*"|x|' | awk -F, -v n="$3" '$2 == n { print $23 }'; }
few=$(drops band-round-robin 10 squeezenet)
many=$(drops band-round-robin 400 squeezenet)
if [ "$few" -gt 10 ] && [ "$many" -gt $((few - 3)) ] && [ "$many" -lt $((few + 3)) ]; then pass; else fail "band-round-robin drops $few, and beside more requests $many"; fi
never=$("$HETSIM" --soc kirin960 --policy band-heft vgg16 inception_v4 resnet50 mobilenet_v1@100fps --duration 3 --format=csv --check | awk -F, '$2 == "mobilenet_v1" { print $5, $23 }')
if [ "$never" = "0 0" ]; then pass; else fail "band-heft drops what it never picked: $never"; fi
accept "waiting or in flight" --soc kirin960 --policy band-heft vgg16 inception_v4 squeezenet,deadline=1ms mobilenet_v1@10fps --duration 3 --check # the first never runs
# late by the deadline, not by what a clock of hours can't tell
late() { "$HETSIM" --soc sd855 --policy cpu mobilenet_v1@3fps,deadline=0.0127859759792s --duration "$1" --format=csv | sed 's|"[^"]*"|x|' | awk -F, 'NR == 2 { print $22 }'; }
if [ "$(late 4000)" = 0 ] && [ "$(late 9000)" = 0 ]; then pass; else fail "late after an hour: $(late 9000)"; fi
ended=$("$HETSIM" --soc kirin960 --policy band-round-robin mobilenet_v1@2fps resnet18@2fps squeezenet@2fps,deadline=0.0225100255290s --duration 1000 --format=csv | awk -F, '$2 == "squeezenet" { print $5 }')
if [ "$ended" = 2000 ]; then pass; else fail "band drops by what a clock can't tell: $ended of 2000 end"; fi
# another process has its turns whatever waits behind the priorities of two networks, which get no more for it
beside() { "$HETSIM" --soc sd855 --policy npu --precision int8 mobilenet_v1,priority=1 squeezenet,priority=1 "$@" --rivals=npu=1 --duration 1 --format=json --check |
  jq -c '[.networks[0, 1].inferences]'; }
if [ -n "$(beside)" ] && [ "$(beside)" = "$(beside resnet50)" ]; then pass; else fail "behind priorities: $(beside), $(beside resnet50)"; fi
# networks of one scheduler whose runtimes differ: the middle operator runs on MACE's GPU alone, so that this one has two workers, the other four; whichever
# comes first, both get the same
cat >"$work/odd.json" <<'END'
{"format": "hetsim-workload/1", "name": "odd", "title": "t", "source": "test", "inputs": [{"name": "image", "shape": [1, 112, 112, 32]}], "outputs": ["c2"],
 "ops": [{"name": "c1", "op": "Conv", "inputs": ["image"], "channels": 32, "kernel": [3, 3], "pad": "same"},
         {"name": "n", "op": "L2Normalization", "inputs": ["c1"], "support": {"cpu": false, "dsp": false, "npu": false}},
         {"name": "c2", "op": "Conv", "inputs": ["n"], "channels": 32, "kernel": [3, 3], "pad": "same"}]}
END
served() { policy=$1; shift; "$HETSIM" --soc sd855 --policy "$policy" "$@" --duration 1 --format=csv --check | sed 's|"[^"]*"|x|' | awk -F, 'NR > 1 { print $2, $5 }' | sort; }
for policy in band-sel band-heft band-heft-reserved band-lst band-round-robin; do
  one=$(served $policy "$work/odd.json@20fps" mobilenet_v1@50fps)
  if [ "$one" = "$(served $policy mobilenet_v1@50fps "$work/odd.json@20fps")" ] && echo "$one" | grep -q "mobilenet_v1 50" && echo "$one" | grep -q "odd 20"; then pass
  else fail "$policy, two runtimes: $one"; fi
done
one=$(served band-fixed "$work/odd.json@20fps" mobilenet_v1@50fps)
if echo "$one" | grep -q "mobilenet_v1 50" && echo "$one" | grep -q "odd 20"; then pass; else fail "band-fixed, two runtimes: $one"; fi
# nor does a network with two processors keep those idle that are for the ones behind it
few=$("$HETSIM" --soc sd855 --policy task-parallel "$work/odd.json,priority=1" "$work/odd.json,priority=1" resnet50 resnet50 resnet50 resnet50 resnet50 resnet50 \
  --duration 1 --check --format=json | jq '[.processors[] | select(.name == "dsp" or .name == "npu") | .utilization_frac] | min > 0.9')
if [ "$few" = true ]; then pass; else fail "task-parallel, two runtimes: idle processors"; fi
# in a queue that grows it gets its turn
accept "yolov2" --soc sd855 --policy task-parallel mobilenet_v1@1000fps yolov2 -n 4 --check

finish
