#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim compare.
. "$(dirname "$0")/helpers.sh" || exit 1
# a line of what was printed last
has() { if grep -Eq "$1" "$work/stdout"; then pass; else fail "no line $1 in: $(cat "$work/stdout")"; fi; }

accept "kirin960 has none" compare --soc kirin960 squeezenet
accept "\"policy\": \"mosaic\"" compare --soc sd855 squeezenet --format=json
accept ": one inference on the living phone" compare --soc sd855 squeezenet --policies=cpu --rivals=2
accept ": one inference on the idle device" compare --soc sd855 squeezenet --policies=cpu
# beside processes on cores
accept "Threads that have slept go before processes" compare --soc sd855 squeezenet --policies=gpu,cpu --rivals=2
if grep -q "lowest OPP" "$work/stdout"; then fail "rivals alone change no clock"; else pass; fi
accept "living phone" compare --soc sd855 squeezenet --policies=gpu,cpu --rivals=gpu=1
if grep -q "Threads that have slept" "$work/stdout"; then fail "who takes no core keeps no thread waiting"; else pass; fi
# whose governors have seen no load yet
for slow in "--governor=gpu=schedutil" "--scenario=gaming"; do accept "clocks begin at the lowest OPP" compare --soc sd855 squeezenet --policies=gpu,cpu "$slow"; done
accept "clocks begin at the lowest OPP" compare --soc kirin960 squeezenet --policies=gpu,npu --governor=gpu=schedutil # the last can't run
for steady in "--governor=performance" "--governor=powersave" "--scenario=hot-60C" "--rivals=1"; do
  accept "living phone" compare --soc sd855 squeezenet --policies=gpu,cpu "$steady"
  if grep -q "clocks begin" "$work/stdout"; then fail "compare $steady: $(cat "$work/stdout")"; else pass; fi
done
accept "dsp         tflite   int8 " compare --soc sd855 squeezenet --policies=codl,dsp,nn-stretch # whose CPU only hands over
accept "nn-stretch  tflite   int8+fp16 " compare --soc kirin970 resnet18 --policies=codl,nn-stretch
accept "codl    mace     fp32  " compare --soc sd855 yolov2 --policies=codl # of two processors
accept "40 cpu-little" compare --soc kirin960 squeezenet --policies=cpu-little,npu
# what the weakest of the kernels that ran rest on: YOLOv2 on the DSP, which is fitted, falls back to the NPU
accept "dsp     tflite   int8       estimated " compare --soc sd855 yolov2 --policies=gpu,dsp --svg="$work/basis.svg"
has "^gpu     mace     fp32       fitted "
if grep -q ">tflite, int8, estimated<" "$work/basis.svg"; then pass; else fail "compare's chart: $(cat "$work/basis.svg")"; fi
accept "dsp     tflite   int8       fitted " compare --soc sd855 squeezenet --policies=gpu,dsp
accept "cpu     mace     fp32       sibling " compare --soc kirin985 squeezenet --policies=cpu
bases=$("$HETSIM" compare --soc sd855 yolov2 --policies=dsp --format=json | jq -c '.[0].processors | map(select(.kernels) | [.name, .kernels])')
if [ "$bases" = '[["dsp","fitted"],["npu","estimated"]]' ]; then pass; else fail "compare's JSON: $bases"; fi
# what is set of a processor that isn't used
accept "gpu, dsp: --cores: no kernel ran on the cpu" compare --soc sd855 squeezenet --policies=gpu,cpu,dsp --cores=big:1
if [ "$(grep -c "no kernel ran" "$work/stdout")" -eq 1 ] && grep -q "^gpu, dsp: " "$work/stdout"; then pass; else fail "compare --cores: $(cat "$work/stdout")"; fi
accept "cpu: --memory-type: no kernel ran on a GPU" compare --soc sd855 squeezenet --policies=gpu,cpu --memory-type=buffer
accept "gpu, codl: --memory-type: under tflite one kernel of the gpu stands for images and buffers" compare --soc sd855 squeezenet --policies=gpu,cpu,codl --memory-type=buffer --runtime tflite
accept "gpu: --threads: no kernel ran on a CPU" compare --soc sd855 squeezenet --policies=gpu,cpu --threads=2
accept "gpu, cpu: --rpc-thread: no kernel ran on a DSP or NPU" compare --soc sd855 squeezenet --policies=gpu,cpu --rpc-thread=cpu
accept "cpu: --gpu-kernel-time: no kernel ran on the gpu" compare --soc sd855 squeezenet --policies=gpu,cpu --gpu-kernel-time=1ms
accept "cpu: --gpu-window: no kernel ran on the gpu" compare --soc sd855 squeezenet --policies=gpu,cpu,dsp --gpu-window=4 # dsp is refused that
accept "living" compare --soc sd855 squeezenet --policies=gpu --gpu-window=4 --rivals=1
if grep -q "no kernel ran" "$work/stdout"; then fail "compare --gpu-window has an effect"; else pass; fi
# what has no effect in a run has none here, of each policy alike
accept "cpu: --frequency: no kernel ran where it sets a clock" compare --soc sd855 squeezenet --policies=gpu,cpu,codl --frequency=gpu=min
if [ "$(grep -c ": --" "$work/stdout")" -eq 1 ]; then pass; else fail "compare --frequency: $(cat "$work/stdout")"; fi
accept "cpu, dsp: --fallback: nothing was to run on the gpu" compare --soc sd855 squeezenet --policies=gpu,cpu,dsp --fallback=gpu=0.5
if [ "$(grep -c ": --" "$work/stdout")" -eq 1 ]; then pass; else fail "compare --fallback: $(cat "$work/stdout")"; fi
accept "gpu, cpu: --profiler: at runtime it sees what an offline one does" compare --soc sd855 squeezenet --policies=gpu,cpu --profiler=runtime --rivals=2
accept "living" compare --soc sd855 squeezenet --policies=gpu,cpu --profiler=runtime --temperature=gpu=72C
if grep -q ": --" "$work/stdout"; then fail "compare --profiler=runtime in the heat: $(cat "$work/stdout")"; else pass; fi
accept "gpu, cpu: --profiler: " compare --soc sd855 squeezenet --policies=gpu,cpu --profiler=runtime --rivals=2 --frequency=gpu=min
has "^cpu: --frequency: no kernel ran where it sets a clock$" # two lines, of other policies each
for policy in gpu cpu; do # as a run tells it
  "$HETSIM" --soc sd855 --policy $policy squeezenet --profiler=runtime --rivals=2 --frequency=gpu=min --fallback=gpu=0.5 --rpc-thread=cpu --threads=2 | sed -n 's/^--/: --/p' >"$work/run"
  "$HETSIM" compare --soc sd855 squeezenet --policies=$policy --profiler=runtime --rivals=2 --frequency=gpu=min --fallback=gpu=0.5 --rpc-thread=cpu --threads=2 |
    sed -n "s/^$policy: --/: --/p" >"$work/compared"
  if [ -s "$work/run" ] && cmp -s "$work/run" "$work/compared"; then pass; else fail "$policy: a run says $(cat "$work/run"), compare $(cat "$work/compared")"; fi
done
arena=$("$HETSIM" --soc sd855 --policy gpu squeezenet --opt=memplan | awk '/^Arena/ { print $2, $3 }')
accept "  $arena  40 gpu" compare --soc sd855 squeezenet --policies=gpu,cpu --opt=memplan
accept "  plan" compare --soc sd855 squeezenet --policies=gpu,cpu
if grep -q "arena" "$work/stdout"; then fail "there is no arena without memplan"; else pass; fi
accept "npu     policy npu needs an npu" compare --soc kirin960 squeezenet --policies=gpu,npu
if grep -Eq "  late  |hottest" "$work/stdout"; then fail "a policy that can't run adds columns: $(cat "$work/stdout")"; else pass; fi
mkfifo "$work/pipe.json"
for where in "--soc $work/pipe.json squeezenet" "--soc sd855 $work/pipe.json" "--soc sd855 squeezenet --scenario=$work/pipe.json" "--soc sd855 squeezenet --competing=$work/pipe.json"; do
  refuse 2 "$work/pipe.json is a pipe or a device, and hetsim compare reads it once for each policy: write it to a file" compare $where --policies=cpu,gpu -o r.txt
done
refuse 2 'there is no policy "gpuu"; did you mean gpu?' compare --soc sd855 squeezenet --policies=cpu,gpuu -o r.txt --svg=b.svg
refuse 2 "--policies: gpu is named twice" compare --soc sd855 squeezenet --policies=gpu,cpu,gpu -o r.txt --svg=b.svg
refuse 2 '--policies: "" has an empty name' compare --soc sd855 squeezenet --policies= -o r.txt --svg=b.svg
refuse 2 '--policies: "gpu," has an empty name' compare --soc sd855 squeezenet --policies=gpu, -o r.txt --svg=b.svg
refuse 2 '--policies: ",gpu" has an empty name' compare --soc sd855 squeezenet --policies=,gpu -o r.txt --svg=b.svg
accept "codl:chain=none:cut=channel  mace " compare --soc sd855 squeezenet --policies=codl,codl:chain=none:cut=channel
accept '"policy": "mosaic", "params": {"objective": "energy"},' compare --soc kirin970 squeezenet --policies=mosaic,mosaic:objective=energy --format=json
refuse 2 "--policies: codl:chain=none:cut=both is named twice" compare --soc sd855 squeezenet --policies=codl:chain=none,codl:chain=none:cut=both -o r.txt --svg=b.svg
refuse 2 "--policies: codl is named twice" compare --soc sd855 squeezenet --policies=codl:chain=auto,codl -o r.txt --svg=b.svg
refuse 2 'policy "codl:" has an empty parameter; write NAME:PARAMETER=VALUE' compare --soc sd855 squeezenet --policies=cpu,codl: -o r.txt --svg=b.svg
refuse 2 'policy "codl::cut=both" has an empty parameter' compare --soc sd855 squeezenet --policies=codl::cut=both,cpu -o r.txt --svg=b.svg
refuse 2 '--policies: ":cut=both" has an empty name' compare --soc sd855 squeezenet --policies=:cut=both -o r.txt --svg=b.svg
refuse 2 'policy gpu has no parameter "cut" (there are: partitions)' compare --soc sd855 squeezenet --policies=codl:cut=both,gpu:cut=both -o r.txt --svg=b.svg
refuse 2 'policy codl, parameter cut: "x" is not one of both, height, channel' compare --soc sd855 squeezenet --policies=codl:cut=x -o r.txt --svg=b.svg
refuse 2 'policy codl, parameter cut is given twice' compare --soc sd855 squeezenet --policies=codl:cut=both:cut=height -o r.txt --svg=b.svg
refuse 2 '"gpu:x=1:x=1:x=1:x=1:x=1:x=1:x=1:x=1:x=1" has too many parameters' compare --soc sd855 squeezenet --policies=gpu:x=1:x=1:x=1:x=1:x=1:x=1:x=1:x=1:x=1
refuse 2 "--policies: more than 64" compare --soc sd855 squeezenet --policies="$(awk 'BEGIN { for (i = 0; i < 65; i++) printf "%scodl:gpu_share=0.%03d", i ? "," : "", i }')" -o r.txt
mkdir "$work/own" "$work/own/profiles"
cp "$HETSIM_DATA/socs/sd855.json" "$work/own/"
awk '!done && sub(/"overhead_cycles": [0-9]+/, "\"overhead_cycles\": -5") { done = 1 } { print }' "$HETSIM_DATA/socs/profiles/sd855-tflite.json" >"$work/own/profiles/sd855-tflite.json"
refuse 3 "hetsim: $work/own/profiles/sd855-tflite.json:" compare --soc "$work/own/sd855.json" squeezenet --policies=gpu,dsp --runtime=tflite
refuse 2 "hetsim: squeezenet@0fps: \"0fps\" is not a rate" compare --soc sd855 squeezenet@0fps # of no policy
refuse 2 "no policy can run this: policy npu needs an npu" compare --soc kirin960 squeezenet --policies=dsp,npu -o r.txt --svg=b.svg
refuse 2 "squeezenet@5fps,priority=9: a priority does not go with hetsim compare" compare --soc sd855 squeezenet@5fps,priority=9 --policies=cpu -o r.txt --svg=b.svg
refuse 2 "yolov2:gpu: a policy of its own goes with hetsim run only; name it in --policies" compare --soc sd855 yolov2:gpu --policies=cpu -o r.txt --svg=b.svg
refuse 2 "yolov2@30fps:gpu: a policy of its own" compare --soc sd855 yolov2@30fps:gpu
refuse 2 "one MODEL at a time" compare --soc sd855 squeezenet yolov2

# more than the first inference
phone="--scenario=gaming --duration=5"
accept "squeezenet@20fps on sd855 (Qualcomm Snapdragon 855 (SM8150), as in the Xiaomi Mi 9): inferences for 5.00 s on the living phone" \
  compare --soc sd855 squeezenet@20fps $phone --policies=gpu,cpu-little,npu --svg=b.svg
has "policy +runtime +precision +kernels +inferences +per second +latency +p90 +drift +late +unfinished +energy +communic\. +cpu +cpu-little +gpu +dsp +npu +hottest +frames +plan$"
has "^npu +tflite +int8 +estimated +100 +20 .* 0 +0 +.* gpu [0-9]+ C +[0-9.]+ %  40 npu$"
has "^gpu +mace +fp32 +fitted +[0-9]+ +[0-9.]+ .* gpu [0-9]+ C +[0-9.]+ %  40 gpu$"
if grep -q "clocks begin\|Threads that have slept" "$work/stdout"; then fail "more than first inferences are compared, yet the text speaks of those"; else pass; fi
if grep -q ">mean latency<" b.svg && grep -q ">mean energy<" b.svg && grep -q ">squeezenet@20fps on sd855 " b.svg; then pass; else fail "the bars of several inferences don't say so"; fi
accept ": 2 inferences on the idle device" compare --soc sd855 squeezenet -n 2 --policies=gpu
has "inferences +per second +latency +p90 +energy" # no drift of so few, and no deadline
accept "inferences for 1.00 s on the idle" compare --soc sd855 squeezenet,deadline=20ms --duration=1 --policies=gpu
has " late +unfinished +energy"
# 200 come in a second. Beside these processes all are late on the fastest processor: band-lst lets the first run and gives up the other 199; dsp gives none up
accept "squeezenet@200fps,deadline=4ms" compare --soc sd855 squeezenet@200fps,deadline=4ms --duration=1 --policies=band-lst,dsp --rivals=cpu=2,gpu=1
has " drift +late +dropped +unfinished +energy"
has "^band-lst +tflite +int8 +fitted +1 +1 .* - +200 +199 +0 "
has "^dsp +tflite +int8 +fitted +169 +169 .* 169 +0 +31 "
# what a policy gives up has no latency, but is counted as in a run
hopeless="--soc sd855 squeezenet@20fps,deadline=100us --duration=1"
accept "squeezenet@20fps,deadline=100us on sd855" compare $hopeless --policies=band-lst,dsp --svg=b.svg
has "^policy +runtime +precision +kernels +inferences +per second +latency +p90 +drift +late +dropped +unfinished +energy +communic. "
has "^band-lst +tflite +- +- +0 +0 +- +- +- +20 +20 +0 +- +0.0 %( +0 %)+ +-$"
has "^dsp +tflite +int8 +fitted +20 +20 .* 20 +0 +0 "
if grep -q ">no inference ended: the policy gave requests up<" b.svg && [ "$(grep -c '<title>' b.svg)" -eq 1 ] && ! grep -q nan b.svg; then pass
else fail "a chart of what was given up: $(cat b.svg)"; fi
rm -f b.svg
accept "band-lst" compare $hopeless --policies=band-lst --opt=memplan
has " [0-9.]+ MB  -$" # the arena is of what was planned
"$HETSIM" compare $hopeless --policies=band-lst --format=json >a 2>b
got="$? $(jq -c '.[0] | [.latency_s, .energy_j, .plan, .inferences, .late, .dropped, .unfinished, .run_s, .power_w, .stopped, .processors[0].busy_s]' a)"
if [ "$got" = "0 [null,null,null,0,20,20,0,1,0,false,0]" ] && [ ! -s b ]; then pass; else fail "compare where all is given up: $got $(cat b)"; fi
counts='[.inferences, .late, .dropped, .unfinished]'
if [ "$("$HETSIM" --policy=band-lst $hopeless --format=json | jq -c ".networks[0] | $counts")" = "$(jq -c ".[0] | $counts" a)" ]; then pass
else fail "a run counts what is given up otherwise than compare: $(cat a)"; fi
rm -f a b
# of nine that come at once eight wait when the first has ended, and there is no deadline
accept ": the first inference (its rate counts with --inferences or --duration) on" compare --soc sd855 squeezenet@burst:9x0.001fps --policies=gpu
has " latency +unfinished +energy"
has "^gpu +mace +fp32 +fitted +[0-9.]+ ms +8 +[0-9.]+ mJ"
accept "burst" compare --soc sd855 squeezenet@burst:9x0.001fps --policies=gpu -n 8
if grep -q unfinished "$work/stdout"; then fail "one in flight at the end is no backlog: $(cat "$work/stdout")"; else pass; fi
# the same streams at random, by --seed
seeded() { "$HETSIM" compare --soc sd855 squeezenet@poisson:20fps --duration=2 --policies=gpu --format=json "$@" | grep fingerprint; }
seeded >a && seeded --seed=1 >b && seeded --seed=2 >c
if [ -s a ] && cmp -s a b && ! cmp -s a c; then pass; else fail "compare --seed: $(cat a b c)"; fi
# and the same processes at random as in a run by itself
beside() { "$HETSIM" "$@" --soc sd855 mobilenet_v1 -n 30 --scenario=rivals-poisson --format=json | grep -Eo '"fingerprint": "[0-9a-f]+"'; }
beside compare --policies=gpu --seed=2 >a && beside --policy=gpu --seed=2 >b && beside --policy=gpu --seed=1 >c
if [ -s a ] && cmp -s a b && ! cmp -s a c; then pass; else fail "compare --seed, processes: $(cat a b c)"; fi
rm -f a b c b.svg
refuse 2 "hetsim: no inference ended in 1.00 ms" compare --soc sd855 squeezenet --duration=0.001 --policies=gpu -o r.txt --svg=b.svg
cat >"$work/hot.json" <<'END'
{"format": "hetsim-scenario/1", "name": "hot", "title": "t", "source": "s", "thermal": {"replay_c": {"cpu": [[0, 90], [1, 150]]}}}
END
accept "cpu-little, broken off after 400 ms: the device shuts down at 0.4 s: cpu has 114.0 C" compare --soc sd855 mobilenet_v1 -n 20 --scenario="$work/hot.json" --policies=cpu,cpu-little
has "^cpu +mace +fp32 +fitted +20 "
has "^cpu-little +mace +fp32 +estimated +1[0-9] "
accept '"stopped": true, "stop_reason": "the device shuts down at 0.4 s: cpu has 114.0 C' \
  compare --soc sd855 mobilenet_v1 -n 20 --scenario="$work/hot.json" --policies=cpu,cpu-little --format=json
# with the numbers of what ran until then
ran=$("$HETSIM" --soc sd855 --policy cpu-little mobilenet_v1 -n 20 --scenario="$work/hot.json" --format=json 2>/dev/null | grep -Eo '"fingerprint": "[0-9a-f]+"')
has "${ran:-no fingerprint}"
"$HETSIM" compare --soc sd855 mobilenet_v1 -n 100 --scenario="$work/hot.json" --policies=cpu,cpu-little --svg=b.svg >a 2>b
if [ $? -eq 1 ] && grep -q "no policy came to the end" b && grep -q "^cpu, broken off after 400 ms" a && grep -q ">mace, fp32, fitted, broken off<" b.svg; then pass
else fail "compare where all are broken off: $(cat a b)"; fi
rm -f a b b.svg
refuse 1 "hetsim: the device shuts down at 0.4 s: cpu has 114.0 C" compare --soc sd855 vgg16 -n 2 --scenario="$work/hot.json" --policies=cpu-little -o r.txt --svg=b.svg
# whatever the others lack
for order in cpu-little,dsp dsp,cpu-little; do
  refuse 1 "no policy can run this: the device shuts down" compare --soc sd855 vgg16 -n 2 --runtime=mace --scenario="$work/hot.json" --policies=$order -o r.txt
done
accept "cpu-little  the device shuts down at 0.4 s" compare --soc sd855 vgg16 --scenario="$work/hot.json" --policies=cpu-little,cpu # before its first ends
if grep -q "broken off" "$work/stdout"; then fail "what hasn't begun is broken off: $(cat "$work/stdout")"; else pass; fi
refuse 3 "temperature trace of cpu: ends at 1 s, before the run does" compare --soc sd855 mobilenet_v1 --duration=2 --scenario="$work/hot.json" --policies=cpu -o r.txt --svg=b.svg
# the start counts: 80 C, then 5 C less in each second, 70 C after two
sed 's/"cpu": .*/"cpu": [[0, 80], [10, 30]]}}}/' "$work/hot.json" >"$work/cooling.json"
accept '"hottest_c": 80, "end_c": 70}' compare --soc sd855 squeezenet@10fps --duration=2 --scenario="$work/cooling.json" --policies=npu --format=json
refuse 2 "--policies does not go with hetsim run" $run --policies=gpu
refuse 2 "--svg does not go with hetsim run" $run --svg=b.svg
refuse 6 "can't write" compare --soc sd855 squeezenet --policies=gpu -o /nonexistent/r.txt --svg=b.svg
refuse 6 "can't write" compare --soc sd855 squeezenet --policies=gpu -o r.txt --svg=/nonexistent/b.svg
refuse 2 'there is no SoC "sd85"' compare --soc sd85 squeezenet
"$HETSIM" compare --soc kirin960 squeezenet --policies=codl,npu,cpu-little --svg=b.svg >a
if [ "$(sed '1,/^policy/d; s/ .*//' a | tr '\n' ' ')" = "codl npu cpu-little " ]; then pass; else fail "compare doesn't keep to the order of --policies"; fi
if grep -q "^cpu-little  mace" a && grep -q "^codl        mace" a; then pass; else fail "the policy column isn't as wide as its names"; fi
if grep -q '</svg>' b.svg && [ "$(grep -c '<title>' b.svg)" -eq 2 ] && grep -q ">policy npu needs an npu, and kirin960 has none<" b.svg; then pass; else fail "the bar chart lacks a policy"; fi
"$HETSIM" compare --soc sd855 squeezenet --policies=codl,dsp --ui=60 --svg=b.svg >a
if grep -qF '>hetsim compare --soc=sd855 --policies=codl,dsp --ui=60 squeezenet<' b.svg; then pass; else fail "the bar chart doesn't say what was compared"; fi
if grep -q '>mace, fp32, fitted<' b.svg && grep -q '>tflite, int8, fitted<' b.svg; then pass; else fail "the bar chart doesn't say in which runtime and precision each policy ran"; fi
if grep -q "^policy .* frames  plan$" a; then pass; else fail "the display is compared in a scenario with heat only: $(cat a)"; fi
rm -f a b.svg

finish
