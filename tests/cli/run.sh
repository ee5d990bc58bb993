#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim run: what its options do, and what its reports say.
. "$(dirname "$0")/helpers.sh" || exit 1

accept "Latency" $run
accept "Latency" run $run --check
accept "fingerprint" $run --format=json --check --inferences 3
accept "Latency" --soc=sd855 --policy=cpu yolov2@30fps --check --inferences 3 # requests that wait
accept "  drift        +" --soc=sd855 --policy=npu mobilenet_v1@500fps --duration 5 # a queue that grows
accept "waiting or in flight when the time was up: not counted" --soc=sd855 --policy=npu mobilenet_v1@500fps --duration 5
accept "1000/s" --soc=sd888 --policy=npu mobilenet_v1@1000fps --duration 1 # not 1e+03
# VGG-16's 138 M weights come from DRAM in each inference, whatever part of its tensors caches hold
accept "DRAM traffic   642 MB" --soc sd855 --policy cpu-little --runtime tflite --precision fp32 vgg16
# each network has the same figures in both formats
two="--soc sd855 --policy gpu squeezenet@1fps mobilenet_v1@1fps:dsp -n 3"
for pair in latency_min_s:7 communication_s:14 launch_s:15 fallback_ops:16 n_ops:17 peak_memory_bytes:18; do
  json=$("$HETSIM" $two --format=json | grep '"label"' | sed "s/.*\"${pair%:*}\": \([^,]*\),.*/\1/")
  csv=$("$HETSIM" $two --format=csv | cut -d, -f"${pair#*:}" | sed 1d)
  if [ "$json" = "$csv" ]; then pass; else fail "${pair%:*}: $json in JSON, $csv in CSV"; fi
done
accept "soc,model,policy,runtime" $run --format=csv
accept '"seed": 9007199254740991,' $run --seed=9007199254740991 --format=json
accept ",int8,estimated,0," --soc sd855 --policy dsp yolov2 --format=csv
accept ",late,dropped,dram_bytes,soc_file,precision,kernels,unfinished,stopped,command,fingerprint" $run --format=csv
# a row of a sweep says what ran, whatever the order of the options, and that line runs it again
command="--soc=sd855 --policy=codl --param=cut=height --threads=2 --frequency=cpu=max --inferences=1 --seed=7 yolov2 squeezenet@30fps:gpu"
accept ",\"$command\"," -n1 yolov2 -t 2 -p codl --seed 7 --check -f cpu=max squeezenet@30fps:gpu -a cut=height --soc sd855 -F csv --gantt=/dev/null
# shellcheck disable=SC2086
again=$("$HETSIM" $command --format=csv)
if [ "$again" = "$(cat "$work/stdout")" ]; then pass; else fail "the command of a row has another: $again"; fi
# also where a shell would take a name for several words, or a CSV reader its commas and quotes for others
odd="$work/a b, it's \"\$c\".json"
cp "$HETSIM_DATA/workloads/squeezenet.json" "$odd"
accept ",\"--soc=sd855 --policy=cpu '$work/a b, it'\\''s \"\"\$c\"\".json'\"," --soc sd855 --policy cpu "$odd" --format=csv
again=$(eval "\"\$HETSIM\" --format=csv --soc=sd855 --policy=cpu '$work/a b, it'\\''s \"\$c\".json'")
if [ "$again" = "$(cat "$work/stdout")" ]; then pass; else fail "the command of a row with blanks and quotes has another: $again"; fi
accept ",\"$HETSIM_DATA/socs/sd865.json\"," --soc "$HETSIM_DATA/socs/sd865.json" --policy cpu squeezenet --format=csv
# a CPU with a third cluster: its frequencies don't run into the next column
awk '/"name": "mid"/ { on = 1 } /"name": "big"/ && on { printf "%s", more; on = 0 } { print } on { line = $0; sub(/"mid"/, "\"mid2\"", line); more = more line "\n" }' \
  "$HETSIM_DATA/socs/sd855.json" > "$work/three.json"
accept "cpu         fp32, 7 threads      2842+2419+2419  " --soc "$work/three.json" --policy=cpu --threads=7 squeezenet
accept "cpu-little  fp32, 4 threads " --soc "$work/three.json" --policy=cpu --threads=7 squeezenet
refuse 2 "--threads: 8 is not in [1, 7]: no CPU processor of sd855 has more than 7 cores" --soc "$work/three.json" --policy=cpu --threads=8 squeezenet
# a precision that isn't there, and limits of a GPU that has nothing to do
accept "no int8 on the cpu under mace: it computes in fp32" --soc sd855 --policy=cpu squeezenet --precision=int8
accept "no fp16 on the cpu under tflite: it computes in fp32" --soc sd855 --policy=cpu --runtime=tflite squeezenet --precision=fp16
accept "no int8 on the gpu under mace: it computes in fp32" --soc sd855 squeezenet:codl mobilenet_v1:dsp --precision=int8
for quiet in "--policy=gpu --runtime=tflite --precision=fp16" "--policy=cpu --gpu-kernel-time=1ms --gpu-window=4"; do
  # shellcheck disable=SC2086 # words
  if "$HETSIM" --soc sd855 squeezenet $quiet | grep -q "^no \|are cut$\|waits for the gpu"; then fail "$quiet says what isn't"; else pass; fi
done
# bytes of two networks: each its own, the rate of both
accept "of kernels; of all networks' " --soc sd855 --policy=cpu squeezenet mobilenet_v1
alone=$("$HETSIM" --soc sd855 --policy=cpu squeezenet --format=json | sed -n 's/^  "dram_bytes": \([0-9]*\).*/\1/p')
if [ "$("$HETSIM" --soc sd855 --policy=cpu squeezenet squeezenet:cpu --format=json | grep -c "label.*\"dram_bytes\": $alone")" -eq 2 ]; then pass
else fail "of two squeezenets at once one moves other bytes than $alone"; fi
# the chart's axis ends below its last column, however long its unit is: below one bar it is a character shorter than the row
"$HETSIM" --soc sd888 --policy=npu mobilenet_edgetpu_1.0 >"$work/stdout"
if sed 's/µ/u/g' "$work/stdout" | awk '/^cpu .*\|$/ { row = length($0) } /^ +0 .*us$/ { axis = length($0) } END { exit !(row > 0 && axis == row - 1) }'; then pass
else fail "the chart's axis isn't as long as its rows: $(grep -A2 '|$' "$work/stdout")"; fi
# whatever exhaustive minimises, no other objective's plan has less of it
energy() { "$HETSIM" --soc sd855 --policy=exhaustive --runtime=mace mnasnet_0.5 --precision=int8 --objective="$1" --format=json | sed -n 's/^  "energy_j": \([0-9.e-]*\).*/\1/p'; }
if awk "BEGIN { exit !($(energy energy) > 0 && $(energy energy) <= $(energy edp) && $(energy energy) <= $(energy latency)) }"; then pass
else fail "exhaustive for energy takes $(energy energy) J, for others $(energy edp) and $(energy latency)"; fi
# no processor need be called cpu, and --cores finds each cluster by its name
sed 's/"name": "cpu", "kind"/"name": "kryo", "kind"/; s/\["cpu"/["kryo"/g; s/"processor": "cpu"/"processor": "kryo"/' "$HETSIM_DATA/socs/sd855.json" >"$work/kryo.json"
accept "kryo " --soc "$work/kryo.json" --policy=codl squeezenet
accept "kryo " --soc "$work/kryo.json" --policy=mulayer squeezenet
sed 's/"name": "little"/"name": "big"/' "$HETSIM_DATA/socs/sd855.json" >"$work/twice.json"
refuse 3 "there is already a domain \"big\"" --soc "$work/twice.json" --policy=cpu squeezenet
accept "policy codl (chain=none, cut=height), runtime mace" --soc=sd855 yolov2:codl:chain=none:cut=height
accept "policy codl (chain=none, cut=height), runtime mace" --soc=sd855 --policy=codl:chain=none yolov2@poisson:30fps,priority=1:codl:cut=height
accept "policy codl, runtime mace" --soc=sd855 --policy=codl --param=chain=none yolov2:codl:chain=auto squeezenet
refuse 2 'policy "codl:" has an empty parameter' --soc=sd855 --policy=gpu squeezenet yolov2:codl:
refuse 2 'policy codl has no parameter "x"' --soc=sd855 --policy gpu yolov2:codl:x=1
refuse 2 "policy mosaic, parameter objective is given twice" --soc=sd855 yolov2:mosaic:objective=edp --objective=energy
accept "policy codl, runtime mace" --soc=sd855 squeezenet@poisson:30fps,priority=1:codl mobilenet_v1:cpu --check --inferences 2
accept "Latency" --soc=sd855 --policy=codl yolov2 mobilenet_v1:cpu squeezenet@30fps:gpu mobilenet_v1@10fps:cpu-little --check --inferences 2
# each in its own policy's runtime, whoever is first; where that can't run a network (MACE has no grouped convolution), in another, and the rest stay
accept "runtime mace" --soc=sd855 yolov2:gpu mobilenet_v1:npu --check
accept "mobilenet_v1:npu  npu     tflite " --soc=sd855 yolov2:gpu mobilenet_v1:npu --check
grep -q "^yolov2:gpu        gpu     mace " "$work/stdout" && pass || fail "the GPU's runtime beside an NPU"
of_codl() { "$HETSIM" --soc=sd855 "$@" --format=csv --check | awk -F, '$3 == "codl" { print $4, $6, $12 }'; }
first=$(of_codl yolov2:codl regnetx_1.6gf:gpu)
second=$(of_codl regnetx_1.6gf:gpu yolov2:codl)
case "$first" in "mace "*) pass ;; *) fail "CoDL beside grouped convolutions: $first" ;; esac
if [ "$first" = "$second" ]; then pass; else fail "CoDL's network first: $first, second: $second"; fi
accept '"runtime": "tflite", "precision": "int8"' --soc=sd855 yolov2:gpu mobilenet_v1:npu --format=json
for file in sd855-mace any-mace sd855-tflite any-tflite; do
  sum=$(sha256sum "$HETSIM_DATA/socs/profiles/$file.json" | cut -d' ' -f1)
  if [ "$(grep -c "$sum" "$work/stdout")" = 1 ]; then pass; else fail "the recipe has $file.json $(grep -c "$sum" "$work/stdout") times"; fi
done
accept "mace" --soc=sd855 --policy=codl yolov2 mobilenet_v1:npu --scenario=rivals-poisson --noise=2 --check -n 3
# the recipe has each; what limits kernels holds where a runtime has it, and is refused where none does
accept '"runtimes": ["mace", "tflite"]' --soc=sd855 yolov2:codl mobilenet_v1:npu --gpu-kernel-time=1ms --gpu-window=4 --format=json --check
if grep -q '"name": "gpu".*"kernel_time_s": 0.001, "window": 4' "$work/stdout"; then pass; else fail "no limit of kernels beside an NPU"; fi
accept "gpu kernels longer than 1.00 ms are cut" --soc=sd855 mobilenet_v1:npu yolov2:codl --gpu-kernel-time=1ms --check
refuse 2 "--gpu-window: none of the networks' runtimes can do that; --runtime=mace can" --soc=sd855 resnet18:npu mobilenet_v1:npu --gpu-window=4
# within a nanosecond of its arrival and of its deadline
accept "Latency" --soc=tensor googlenet@10fps:band-lst --scenario=video-playback -n 4 --check
latency=$("$HETSIM" --soc=sd855 --policy=npu mobilenet_v1 --format=csv | awk -F, 'NR == 2 { printf "%.12f", $6 - 5e-10 }')
accept " 0        0" --soc=sd855 --policy=npu "mobilenet_v1,deadline=${latency}s" --check
# threads that wait draw what the cluster's clock takes, which another's task may set (with a fifth of the GPU efficiency cores have a part)
sed 's/"fp32": 96, "fp16": 192/"fp32": 20, "fp16": 40/' "$HETSIM_DATA/socs/kirin960.json" >"$work/fifth.json"
spun=$("$HETSIM" --soc "$work/fifth.json" --runtime tflite resnet10:mosaic:objective=energy --ui=144 -n 20 --format=json --check | sed -n 's/^  "spinning_j": \(.*\),$/\1/p')
alone=$("$HETSIM" --soc "$work/fifth.json" --runtime tflite resnet10:mosaic:objective=energy --governor=performance -n 20 --format=json --check | sed -n 's/^  "spinning_j": \(.*\),$/\1/p')
if awk -v a="$alone" -v b="$spun" 'BEGIN { exit !(a > 0 && b > 1.5 * a) }'; then pass; else fail "waiting threads at their own clock: $alone alone, $spun beside frames"; fi
# a cluster has one clock, the highest that is asked for: a network at the highest beside one at the lowest takes twice what it takes alone, whoever came first
cpu_beside() { "$HETSIM" --soc=kirin970 --runtime=tflite --policy=cpu "$@" -n 1 --check --format=csv | awk -F, '$3 == "cpu" { printf "%.6f\n", $6 }'; }
alone=$(cpu_beside mobilenet_v1 | awk '{ printf "%.6f\n", 2 * $1 }')
for way in "" "--governor=performance"; do
  first=$(cpu_beside $way mobilenet_v1@5fps:cpu mobilenet_v1:tf-big:governor=ondemand)
  second=$(cpu_beside $way mobilenet_v1:tf-big:governor=ondemand mobilenet_v1@5fps:cpu)
  if awk -v a="$alone" -v b="$first" -v c="$second" 'BEGIN { exit !(b > 0.999 * a && b < 1.001 * a && c > 0.999 * a && c < 1.001 * a) }'; then pass; else fail "beside a lower OPP $way: $first, $second, not $alone"; fi
done
accept "Latency" --soc=kirin970 --policy=mosaic --objective=edp posenet shufflenet_v2@1fps:cpu -n 1 --check
accept "Latency" --soc=kirin970 --runtime=tflite --frequency=cpu=min squeezenet:cpu posenet:mosaic:objective=edp --check
# each in its own policy's precision and GPU memory, whoever is first
case "$("$HETSIM" --soc=sd865 vgg16:cpu --runtime=tflite --format=csv | cut -d, -f6,26 | tail -1)" in *,fp32) pass ;; *) fail "cpu alone isn't in fp32" ;; esac
accept ",int8," --soc=sd865 squeezenet:npu vgg16:cpu --runtime=tflite --format=csv --check
if grep -q ",fp32," "$work/stdout"; then pass; else fail "npu and cpu in one precision"; fi
accept "cpu         fp32+int8, 4 threads" --soc=sd865 mobilenet_v1:cpu squeezenet:band-fixed:worker=cpu --runtime=tflite -n 4 --check
accept '"precision": "int8"' --soc=sd865 squeezenet:npu vgg16:cpu --runtime=tflite --format=json
accept "gpu         fp32, buffer+image" --soc=sd865 squeezenet:mulayer yolov2:gpu --check
accept ",int8," --soc=sd865 squeezenet:npu vgg16:cpu --runtime=tflite --precision=int8 --format=csv
if grep -q ",fp32," "$work/stdout"; then fail "--precision: of one network only"; else pass; fi
# int8's threads wait for the next operator there, fp32's don't: whoever is first
energy() { "$HETSIM" --soc=kirin970 --runtime=tflite "$@" -n 3 --format=csv --check | awk -F, '$3 == "tf-big" { print $6, $12 }'; }
second=$(energy mobilenet_v2@1fps:heft mobilenet_v2@1fps:tf-big)
first=$(energy mobilenet_v2@1fps:tf-big mobilenet_v2@1fps:heft)
if [ -n "$first" ] && [ "$first" = "$second" ]; then pass; else fail "tf-big first: $first, second: $second"; fi
accept '"name": "codl-gpu-buffer"' --soc=sd855 --runtime=mace squeezenet:codl squeezenet:mulayer --format=json
refuse 2 "policy npu: runtime mace has no code for the npu of sd855" --soc=sd855 yolov2:gpu mobilenet_v1:npu --runtime=mace
# what the kernels of a processor that nobody used rest on is the weakest of all networks' (MACE's on little cores are estimated, TensorFlow Lite's fitted),
# whoever comes first
for order in "yolov2@11.7fps:codl mobilenet_v1@5.9fps:dsp" "mobilenet_v1@5.9fps:dsp yolov2@11.7fps:codl"; do
  bases=$("$HETSIM" --soc sd855 --duration=1 $order --format=json | jq -c '.processors | map(.kernels)')
  if [ "$bases" = '["fitted","estimated","fitted","fitted","estimated"]' ]; then pass; else fail "kernels of $order: $bases"; fi
done
# a task that has its own core to itself shares its cluster's static power with others
accept "Latency" --soc sd855 --policy cpu-little mobilenet_v1 --threads 1 --scenario rivals-poisson --check -n 15
accept "40 inferences" --soc=sd855 --policy=gpu squeezenet@poisson:20fps -n 40 --check
accept "per second" --soc=sd855 --policy=task-parallel squeezenet@burst:3x5fps,priority=2,deadline=20ms mobilenet_v1@poisson:30fps:cpu --duration 2 --check
accept "in 1.50 s" $run --duration 1.5 --check
accept "no inference ended" $run --duration 0.000001 --check
# what ran takes power all the same; per inference there is nothing, and that isn't 0
accept "Energy         -          per inference, 4.66 W on average" --soc sd855 --policy cpu vgg16 --duration 0.1
accept '"inferences": 0, "latency_s": null, "latency_min_s": null, "latency_p50_s": null' --soc sd855 --policy cpu vgg16 --duration 0.1 --format=json
if grep -qx '  "energy_j": null,' "$work/stdout" && grep -q '^  "power_w": 4.66' "$work/stdout"; then pass; else fail "json: energy without an inference"; fi
accept "sd855,vgg16,cpu,mace,0,,,,,,,,4.66" --soc sd855 --policy cpu vgg16 --duration 0.1 --format=csv
accept ',"squeezenet@30fps,deadline=5ms:cpu",' $run squeezenet@30fps,deadline=5ms:cpu --format=csv
if [ "$(wc -l <"$work/stdout")" -eq 3 ]; then pass; else fail "csv: not a row per network"; fi
accept "Latency        -" --soc=sd855 --policy=band-lst yolov2@1000fps --check --inferences 3 # all are dropped, and nobody stopped the run
if grep -q "stopped after" "$work/stdout"; then fail "requests that were dropped count as never come"; else pass; fi
accept "mobilenet_v1@12.3456789012fps:band-round-robin  band-round-robin" --soc=sd855 --policy=cpu squeezenet mobilenet_v1@12.3456789012fps:band-round-robin
accept "on a fallback processor" --soc=kirin970 --policy=npu resnet50 --check
accept "fp32, 2 threads" --soc sd855 --policy cpu squeezenet --threads 2
accept "--cores: no kernel ran on the cpu-little" --soc sd855 --policy cpu squeezenet --cores=little:2
accept "--threads: no kernel ran on a CPU" --soc sd855 --policy gpu squeezenet --threads=2
accept "--memory-type: no kernel ran on a GPU" --soc sd855 --policy cpu squeezenet --memory-type=image
accept "--memory-type: under tflite one kernel of the gpu stands for images and buffers" --soc sd855 --policy gpu squeezenet --memory-type=buffer --runtime tflite
for type in image buffer; do accept "gpu         fp32, $type" --soc sd855 --policy gpu squeezenet --memory-type=$type --runtime mace; done
if grep -q "stands for" "$work/stdout"; then fail "MACE has a kernel for buffers"; else pass; fi
accept "--profiler: at runtime it sees what an offline one does" --soc sd855 --policy cpu squeezenet --profiler=runtime --rivals=2
for seen in --temperature=cpu=50C --temperature=cpu=90C --cache-hit=0.1 --fallback=gpu=0.5; do
  accept "gpu " --soc sd855 --policy gpu squeezenet --profiler=runtime $seen
  if grep -q "^--profiler" "$work/stdout"; then fail "--profiler=runtime $seen"; else pass; fi
done
accept "--frequency: no kernel ran where it sets a clock" --soc sd855 --policy cpu squeezenet --frequency=gpu=min
accept "--fallback: nothing was to run on the gpu" --soc sd855 --policy cpu squeezenet --fallback=gpu=0.5
for named in "--policy cpu squeezenet --frequency=cpu.mid=min,gpu=min" "--policy gpu mobilenet_v1 --frequency=cpu=min" "--runtime tflite squeezenet:cpu mobilenet_v1:gpu --fallback=gpu=1" "--policy gpu squeezenet --fallback=gpu=0.5" "--policy gpu squeezenet --frequency=min"; do
  "$HETSIM" --soc sd855 $named >"$work/stdout"
  if grep -q "^--f" "$work/stdout"; then fail "$named: $(grep "^--f" "$work/stdout")"; else pass; fi
done
accept "--rpc-thread: no kernel ran on a DSP or NPU" --soc sd855 --policy cpu squeezenet --rpc-thread=cpu
accept "--gpu-window: no kernel ran on the gpu" --soc sd855 --runtime mace --policy cpu squeezenet --gpu-window=2 --gpu-kernel-time=1ms
accept "--gpu-kernel-time: no kernel ran on the gpu" --soc sd855 --runtime mace --policy cpu squeezenet --gpu-window=2 --gpu-kernel-time=1ms
accept '"threads": 2, "cores": "mid:1+big:1",' --soc sd855 --policy cpu squeezenet --cores=mid:1+big:1 --format=json
accept "fp32, buffer" $run --memory-type buffer
accept "gpu kernels longer than 1.00 ms are cut" $run --gpu-kernel-time=1ms --check
accept "the host waits for the gpu after every 4 kernels" $run --gpu-window=4 --check
accept '"kernel_time_s": 0.001, "window": 4' $run --gpu-kernel-time=1ms --gpu-window=4 --check --format=json
accept "conv1" explain $run --gpu-kernel-time=1ms --gpu-window=4
accept "257" $run --frequency gpu=min
accept "2842+710" --soc sd855 --policy cpu squeezenet --frequency cpu.mid=710.4MHz
accept "cpu-little  fp32, 4 threads      -           0 s" $run --frequency gpu=min # what didn't run had no frequency
accept "npu         fp16                 -  " --soc kirin970 --policy cpu squeezenet --runtime tflite
accept "-+2419" --soc sd855 --policy cpu squeezenet --cores mid:3
accept "cpu         fp32, 3 threads      -+2419" --soc sd855 --policy gpu squeezenet --cores mid:3 # who launches the GPU's kernels has these cores, too
printf '%s\n' time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes 0,busy,1,0.5,0,0,0,0,0 >"$work/busy.csv"
# the parameters that were set, in the report and in both pictures, and no others
accept "policy codl (plan=published, chain=none), runtime mace" --soc sd855 --policy codl yolov2 --param chain=none --param cut=both \
  --param plan=published --ui=60 --gantt="$work/gantt" --curves="$work/curves"
for there in gantt curves; do if grep -qF "policy codl (plan=published, chain=none)" "$work/$there"; then pass; else fail "$there doesn't tell the parameters"; fi
  if grep -qF "hetsim --soc=sd855 --policy=codl --param=chain=none --param=cut=both" "$work/$there"; then pass
  else fail "$there doesn't tell what was run"; fi
done
accept "on the phone: scenario gaming, governor schedutil, rivals cpu=2" $run --scenario gaming --governor=schedutil --rivals=cpu=2 --curves="$work/curves"
if grep -qF "policy gpu, scenario gaming<" "$work/curves"; then pass; else fail "curves don't tell the scenario"; fi
accept "on the phone: processes of $work/busy.csv" $run --competing="$work/busy.csv"
accept "Latency" $run
if grep -q "on the phone" "$work/stdout"; then fail "a phone where nothing else happens"; else pass; fi
accept "policy mosaic (objective=energy), runtime" --soc kirin970 --policy mosaic mnasnet_1.0 --objective=energy
accept "cpu-little  fp32, 4 threads      509  " --soc kirin970 --policy mosaic mnasnet_1.0 --objective=energy # which the plan chose
accept '"freq_hz": {"gpu": 47' --soc sd855 --policy gpu squeezenet --inferences 30 --temperature=gpu=60C --format=json # capped by heat between 345 and 585
accept "int8, 4 threads" --soc sd855 --policy cpu squeezenet --runtime tflite --precision int8
accept "runtime tflite" --soc sd855 --policy cpu regnetx_1.6gf
accept "exhaustive" --soc kirin970 --policy exhaustive squeezenet --param samples=20 --param seed=7 --param objective=edp --check
accept "Latency" --soc kirin970 --policy tf-npu squeezenet --param governor=ondemand --check
# what was used is of the whole run: 20 inferences in a second
accept "fp32, 1 thread " --soc sd855 --policy gpu --threads=1 squeezenet@20fps --duration=1
if awk '$1 == "gpu" && $6 == "ms" { n++; off = 100 * 20 * $5 / 1000 - $7 } END { exit n != 1 || off < -0.2 || off > 0.2 }' "$work/stdout"; then pass
else fail "used for: $(grep "^gpu" "$work/stdout")"; fi
# what a runtime lacks is told once, however many networks are under it
accept "no int8 on the gpu under tflite: it computes in fp16" --soc sd855 --policy gpu squeezenet mobilenet_v1 --runtime tflite --precision int8
if [ "$(grep -c "^no int8 on the gpu" "$work/stdout")" = 1 ]; then pass; else fail "told twice: $(grep "^no " "$work/stdout")"; fi
# without a deadline a row has no value for it, nor for who missed it
is=$("$HETSIM" --soc sd855 --policy gpu mobilenet_v1 squeezenet@20fps --duration=0.2 --format=csv | cut -d, -f2,21,22 | tail -n 2 | tr '\n' ' ')
if [ "$is" = "mobilenet_v1,, squeezenet,0.05,0 " ]; then pass; else fail "csv, deadlines: $is"; fi
# one network has a row of its own where it comes by a pattern, deadline or not
accept "squeezenet@poisson:20fps  gpu " --soc sd855 --policy gpu squeezenet@poisson:20fps --duration=1
accept "Latency" $run
if grep -q "^network" "$work/stdout"; then fail "a row for what the rest tells"; else pass; fi
for objective in latency energy edp; do # the shorthand is the parameter
  accept "\"objective\": \"$objective\"" --soc kirin970 --policy mosaic squeezenet --objective=$objective --format=json
  grep -v wall_clock "$work/stdout" >"$work/short"
  accept "fingerprint" --soc kirin970 --policy mosaic squeezenet --param objective=$objective --format=json
  if grep -v wall_clock "$work/stdout" | diff "$work/short" - >/dev/null; then pass; else fail "--objective=$objective is not --param objective=$objective"; fi
done

finish
