#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A living phone: scenarios, rivals, governors, temperatures.
. "$(dirname "$0")/helpers.sh" || exit 1

accept "by the offline profiler; the latency is +" --soc sd855 --policy cpu squeezenet --rivals=2
accept "by the offline profiler; requests may have waited for each other" --soc sd855 --policy cpu squeezenet@30fps --rivals=2 --duration 2
# tables of OPPs in which the lowest needs most: a governed run's check knows that
sed 's/\("freq_hz": \(682e6\|509e6\),.*"dynamic_w": \)[0-9.]*/\13/' "$HETSIM_DATA/socs/kirin970.json" >"$work/steep.json"
for policy in cpu npu; do accept "Latency" --soc "$work/steep.json" --policy $policy squeezenet --check --governor=powersave; done
# --- scenarios ---
accept "Frames" $run --duration=2 --scenario video-playback
accept "Latency" $run --duration=2 --scenario "$HETSIM_DATA/traces/idle.json"
accept "Latency" $run --duration=2 --competing "$HETSIM_DATA/traces/competing/browsing.csv" --rivals=1
# a line per processor in each of three panels, and in the last of each node that none heats itself, from 0 through every second (272 of 680 pixels) to the end at 2.5 s
accept "Latency" $run --duration=2.5 --temperature=simulated --curves=c.svg
# a processor's name has room however long it is: in the table and the rows below it, left of the chart, and in the legend
sed 's/"cpu-little"/"cpu-of-the-efficiency-cores"/' "$HETSIM_DATA/socs/sd855.json" >long.json
accept "processor                   runs" --soc ./long.json --policy cpu mobilenet_v1 --rivals=1 --curves=long.svg --gantt=long-gantt.svg
if grep -q "^cpu                         |" "$work/stdout" && grep -q "^ \\{28\\}0 " "$work/stdout" && grep -q '^<svg .*width="9[5-9][0-9]" height="[0-9]*" viewBox="0 0 9[5-9][0-9] ' long.svg &&
  grep -q '<text x="1[6-9][0-9]" .*text-anchor="end">cpu<' long-gantt.svg; then pass
else fail "a long name has no room: $(cat "$work/stdout")"; fi
rm -f long.json long.svg long-gantt.svg
# power and frequency are means, in steps; temperatures are of the start and of the ends
steps="70.0,\([0-9.]*\) 342.0,\1 342.0,\([0-9.]*\) 614.0,\2 614.0,\([0-9.]*\) 750.0,\3 "
if [ "$(grep -c "<polyline.* points='$steps'" c.svg)" -eq 10 ] &&
  [ "$(grep -c "<polyline.* points='70.0,[0-9.]* 342.0,[0-9.]* 614.0,[0-9.]* 750.0,[0-9.]* '" c.svg)" -eq 7 ]; then pass; else fail "--curves: $(cat c.svg)"; fi
# processors of one node have one temperature: all lines but the first have gaps
if [ "$(grep -c "<polyline.*stroke-dasharray=" c.svg)" -eq 14 ] && grep -q "'2 5'/><text [^>]*>skin<" c.svg; then pass; else fail "--curves: $(cat c.svg)"; fi
# board and skin warm up, too
accept ", npu 908 MHz 31.0 C, soc 31.2 C, skin 25.1 C" --soc sd855 --policy gpu vgg16 --temperature=simulated --duration=30
"$HETSIM" --soc sd855 --policy gpu vgg16 --temperature=simulated --duration=30 --format=json >nodes.json
if [ "$(jq -c '[.device.curves.nodes[] | .name, (.temperature_c | length)]' nodes.json)" = '["soc",30,"skin",30]' ]; then pass; else fail "nodes: $(cat nodes.json)"; fi
rm -f nodes.json
# power_allocator on a node with one passive trip caps a cold phone, too
echo '{"format": "hetsim-scenario/1", "name": "n", "title": "t", "source": "s", "thermal": {"governor": "power_allocator"}}' >pa.json
accept "Allocator      gpu under power_allocator from the coldest on" $run --scenario ./pa.json --duration=1
accept '"power_allocator_always_on": ["gpu"]' $run --scenario ./pa.json --duration=1 --format=json
for soc in tensor sd855; do
  accept "Heat  " --soc $soc --policy gpu squeezenet --temperature=simulated --duration=1
  if grep -q "^Allocator" "$work/stdout"; then fail "$soc: $(cat "$work/stdout")"; else pass; fi
done
rm -f pa.json
accept '"curves": {"end_s": [1, 2, 3, 4, 5]' --soc sd855 --policy cpu mobilenet_v1@0.3fps --duration=5 --rivals=gpu=1 --format=json # nothing else comes by the clock
accept "Latency" $run --duration=0.5 --rivals=1 --curves=c.svg # heat isn't looked at: two panels; one sample
if [ "$(grep -c "<polyline.* points='70.0,\([0-9.]*\) 750.0,\1 '" c.svg)" -eq 10 ]; then pass; else fail "--curves: $(cat c.svg)"; fi
# More samples than points, of which every second has the CPU busy: a point is of two, none is left out, and the energy below the line is that of the run.
"$HETSIM" --soc sd855 --policy cpu vgg16@0.5fps squeezenet@0.001fps:gpu --duration=602 --governor=performance --curves=c.svg -o curves.json --format=json
if [ "$(grep -c "<polyline.* 750.0,[0-9.]* '" c.svg)" -eq 10 ]; then pass; else fail "curves of many samples don't reach the end: $(cat c.svg)"; fi
drawn=$(sed -n "s/.*anchor='end'>\([0-9.]*\) W<.*/axis \1/p; s/.*<polyline[^>]* points='\([^']*\)'.*/points \1/p" c.svg | tr ',' ' ' |
  awk '$1 == "axis" { max = $2 } $1 == "points" && !done { for (i = 4; i < NF; i += 2) sum += ($i - $(i - 2)) / 680 * 602 * (236 - $(i + 1)) / 190 * max; print sum; done = 1 }')
run_j=$(sed -n '/"device": {/,/}/s/.*"energy_j": {"cpu": \([0-9.]*\),.*/\1/p' curves.json)
if awk "BEGIN { exit !($run_j > 100 && $drawn > 0.99 * $run_j && $drawn < 1.01 * $run_j) }"; then pass; else fail "curves: $drawn J are drawn of $run_j"; fi
if grep -qF "policy cpu, and 1 more network</text>" c.svg; then pass; else fail "curves are of all networks: $(head -3 c.svg)"; fi
rm -f c.svg curves.json
# a frequency that stayed is the OPP's, not what is left of sums of cycles
accept '"freq_hz": [' --soc sd855 --policy codl mobilenet_v1 --scenario browsing --duration 12 --format=json
if grep '"freq_hz"' "$work/stdout" | grep -qE '[0-9](0000\.00|9999\.99)'; then fail "json: frequencies with rounding"; else pass; fi
refuse 2 "--curves: nothing changes without a scenario" $run --curves=c.svg
refuse 2 "--curves: in scenario idle nothing else happens, so nothing changes over time" $run --scenario=idle --curves=c.svg
# the files of rivals are what --rivals makes on the SoC that they were made for, and idle is nothing at all
same() {
  accept "fingerprint" --soc sd855 --policy codl squeezenet -n 3 $1
  grep fingerprint "$work/stdout" >"$work/one"
  accept "fingerprint" --soc sd855 --policy codl squeezenet -n 3 $2
  if grep fingerprint "$work/stdout" | cmp -s - "$work/one"; then pass; else fail "'$1' and '$2' run differently"; fi
}
same "--rivals cpu=1" "--scenario rivals-cpu-1"
same "--rivals 2" "--scenario rivals-cpu-2"
same "--rivals cpu=3" "--scenario rivals-cpu-3"
same "--rivals gpu=1" "--scenario rivals-gpu-1"
same "--rivals gpu=1,cpu=1" "--scenario rivals-gpu-1 --rivals cpu=1"
same "--temperature gpu=60C" "--scenario hot-60C"
same "--governor=schedutil,gpu=ondemand" "--governor=gpu=ondemand,all=schedutil"
same "" "--scenario idle"
# what the host does for a GPU in no time it does when it has its core, beside rivals, too; what takes less than a tick of the clock takes none
for time in 0 1e-12; do
  sed "s/\(\"launch\": {\"fixed_s\": \)8e-6/\1$time/" "$HETSIM_DATA/socs/sd855.json" >"$work/steps.json"
  accept "Latency" --soc "$work/steps.json" --policy codl yolov2 --rivals=cpu=3 --check
  grep Latency "$work/stdout" >"$work/$time"
  accept "Latency" --soc "$work/steps.json" --policy codl yolov2 --governor=performance --check
done
if cmp -s "$work/0" "$work/1e-12"; then pass; else fail "nothing is not the limit of little: $(cat "$work/0" "$work/1e-12")"; fi
# with the whole phone as hot as the GPU, the skin of a Pixel would be beyond its critical trip
for soc in sd855 kirin970 tensor; do accept "Hz 70.0 C" --soc $soc --policy gpu squeezenet --scenario hot-70C --check; done
# what is held above trips of step_wise throttles once, and the report says so
accept "Held heat      cpu at most 2 OPPs below its highest, cpu-little at most 2 OPPs below its highest, gpu at most 1 OPP below its highest by step_wise, which takes a step when it gets warmer" --soc sd888 --policy gpu squeezenet --temperature=gpu=100C,cpu=100C --check
for heat in gpu=84C simulated; do
  accept "Heat" --soc sd888 --policy gpu squeezenet --temperature=$heat
  if grep -q "Held heat" "$work/stdout"; then fail "--temperature=$heat: $(grep "Held heat" "$work/stdout")"; else pass; fi
done
refuse 2 'there is no scenario "video-playbak"; did you mean video-playback?' $run --scenario video-playbak -o r.txt
refuse 6 "./missing.json: can't open" $run --scenario ./missing.json -o r.txt
refuse 6 "missing.csv: can't open" $run --competing missing.csv -o r.txt
refuse 2 "--scenario does not go with hetsim list" list socs --scenario idle
refuse 2 "--competing does not go with hetsim explain" explain --soc sd855 --policy gpu squeezenet --competing x.csv
refuse 2 '--governor: there is no governor "turbo" (there are: performance, powersave,' $run --governor turbo -o r.txt
refuse 2 "--frequency: the governor, schedutil, sets these clocks; userspace without a frequency leaves them" $run --governor schedutil --frequency min -o r.txt
refuse 2 "--frequency: the governor, userspace, sets these clocks" $run --governor userspace:max --frequency cpu=min -o r.txt
accept "Latency" $run --governor gpu=schedutil --frequency min
accept "Latency" $run --governor userspace --frequency min
refuse 2 "--temperature: kirin960 has no processor \"npu\"" --soc kirin960 --policy gpu squeezenet --temperature npu=60C -o r.txt
refuse 2 '--rivals: kirin960 has no "dsp"' --soc kirin960 --policy gpu squeezenet --rivals dsp=1 -o r.txt
refuse 2 '--rpc-thread: sd855 has no CPU or cluster "gpu"' $run --rpc-thread=gpu -o r.txt
refuse 2 '--rpc-thread: kirin960 has neither a DSP nor an NPU to call' --soc kirin960 --policy gpu squeezenet --rpc-thread=cpu -o r.txt
accept '"scenario": {"rpc_thread": "cpu.mid"}' --soc sd855 --policy dsp resnet50 --rpc-thread=cpu.mid --check --format=json
refuse 2 '--ui: "0" is not a rate in [1, 240] Hz' $run --ui 0 -o r.txt
refuse 2 '--cache-hit: "2" is not a fraction in [0, 1]' $run --cache-hit 2 -o r.txt
scenario() { printf '{"format": "hetsim-scenario/1", "name": "s", "title": "t", "source": "s", %s}\n' "$1" >"$work/s.json"; }
scenario '"thermal": {"replay_c": {"gpu": [[0, 30], [1.5, 60]]}}'
accept "Latency" $run --duration=1.4 --scenario "$work/s.json"
refuse 3 's.json:1:107: $.thermal.replay_c.gpu: temperature trace of gpu: ends at 1.5 s, before the run does' $run --duration=5 --scenario "$work/s.json" -o r.txt --timeline t.json --gantt g.svg
refuse 3 's.json:1:107: $.thermal.replay_c.gpu: temperature trace of gpu: ends at 1.5 s, before the run does' $run --inferences=1000 --scenario "$work/s.json" -o r.txt
scenario '"thermal": {"replay_c": {"gpu": [[0, 30], [86000, 60]]}}' # some minutes away
timeout 20 "$HETSIM" $run --duration=86400 --scenario "$work/s.json" >"$work/stdout" 2>"$work/stderr"
if [ $? -eq 3 ] && grep -q "ends at 86000 s" "$work/stderr"; then pass; else fail "a trace that is too short for --duration is refused at once"; fi
scenario '"thermal": {"replay_c": {"gpu": [[0, 30], [2, 60], [1, 70]]}}'
refuse 3 's.json:1:127: $.thermal.replay_c.gpu[2][0]: 1 is not after the time before it (2)' $run --scenario "$work/s.json" -o r.txt
scenario '"processes": [{"name": "p", "phases": [{"to_s": 2, "threads": 1}, {"from_s": 1, "threads": 1}]}]'
refuse 3 '$.processes[0].phases[1]: begins at 1 s, before the one before it ends (2 s)' $run --scenario "$work/s.json" -o r.txt
scenario '"processes": [{"name": "p", "phases": [{"from_s": -1, "threads": 1}]}]'
refuse 3 '$.processes[0].phases[0].from_s: -1 is not in [0, 1e+09]' $run --scenario "$work/s.json" -o r.txt
scenario '"processes": [{"name": "p", "phases": [{"npu_frac": 0.5}]}]'
refuse 3 '$.processes[0].phases[0].npu_frac: kirin960 has no npu' --soc kirin960 --policy gpu squeezenet --scenario "$work/s.json" -o r.txt
scenario '"processes_csv": "t.csv"'
printf 'time_s,process,threads,duty_frac,gpu_frac,dsp_frac,npu_frac,dram_bytes_per_s,footprint_bytes\n0,p,1,2,0,0,0,0,0\n' >"$work/t.csv"
refuse 3 't.csv:2:7: duty_frac: 2 is not in [0, 1]' $run --scenario "$work/s.json" -o r.txt
refuse 3 't.csv:2:7: duty_frac: 2 is not in [0, 1]' $run --competing "$work/t.csv" -o r.txt
rm "$work/t.csv"
refuse 3 's.json:1:92: $.processes_csv: "t.csv": can'"'"'t open' $run --scenario "$work/s.json" -o r.txt
# --- a living phone ---
"$HETSIM" $run >a && "$HETSIM" $run --rivals=cpu=0 >b
if cmp -s a b; then pass; else fail "no rivals give other bytes than no scenario"; fi
living="--rivals=cpu=1,gpu=1 --governor=schedutil --temperature=simulated --ui=60"
"$HETSIM" $run $living -n 20 --check --format=json | grep -v wall_clock >a
"$HETSIM" $run $living -n 20 --check --format=json | grep -v wall_clock >b
if [ -s a ] && cmp -s a b; then pass; else fail "the same scenario gives other bytes the second time"; fi
accept "cpu-little" --soc sd855 --policy=codl yolov2 mobilenet_v1:cpu squeezenet@30fps:gpu $living --check -n 2
echo '{"format": "hetsim-scenario/1", "name": "hot", "title": "t", "source": "s", "thermal": {"replay_c": {"cpu": [[0, 90], [1, 150]]}}}' >hot.json
"$HETSIM" --soc sd855 --policy cpu mobilenet_v1 -n 100 --scenario=hot.json --check -o a 2>b # 110 C, its critical trip, after 0.33 s
if [ $? -eq 1 ] && grep -qF "hetsim: the device shuts down at 0.4 s: cpu has 114.0 C" b && grep -q "^Latency .*(stopped after 2. of 100)" a; then pass
else fail "a device that shuts down: $(cat b)"; fi
why="the device shuts down at 0.4 s: cpu has 114.0 C"
"$HETSIM" --soc sd855 --policy cpu mobilenet_v1 -n 100 --scenario=hot.json --format=json -o a 2>b
if grep -qF "\"stop_reason\": \"$why" a; then pass; else fail "JSON doesn't say why the run was broken off"; fi
"$HETSIM" --soc sd855 --policy cpu mobilenet_v1 -n 100 --scenario=hot.json --format=csv -o a 2>b
if grep -qF ",\"$why" a; then pass; else fail "CSV doesn't say why the run was broken off: $(cat a)"; fi
# rates and means are of the time until then, though the only inference ended long before
"$HETSIM" --soc sd855 --policy cpu mobilenet_v1@0.1fps -d 0.9 --scenario=hot.json --check --format=json -o a 2>b
if grep -q '"run_s": 0.4,' a && grep -q '"throughput_per_s": 2.5,' a; then pass; else fail "a run that was broken off took $(grep '"run_s"' a)"; fi
rm -f a b hot.json

# what the text says of the device is what JSON does; processors of one node that are held count once; the last stretch is less than a second
device="--soc sd855 --policy cpu mobilenet_v1@20fps --duration 2.4 --ui=120 --rivals=2 --temperature=cpu=91C,cpu-little=91C"
accept '"janky"' $device --format=json
frames=$(sed -n 's/.*"frames": {"vsyncs": \([0-9]*\), "drawn": \([0-9]*\), "janky": \([0-9]*\), .*/\1 \2 \3/p' "$work/stdout" |
  awk '$2 < $1 && $3 > 0 { printf "%d of %d drawn, ", $2, $1; printf "%.1f %% of the drawn janky", 100 * $3 / $2 }')
accept "Last 400 ms " $device
if [ -n "$frames" ] && grep -qF "${frames%%, *}" "$work/stdout" && grep -qF "${frames#*, }" "$work/stdout"; then pass
else fail "frames are \"$frames\", but $(grep "^Frames" "$work/stdout")"; fi
if grep -q "^Held heat  *cpu at most 1 OPP below its highest, cpu-little at most 1 OPP below" "$work/stdout"; then pass; else fail "held: $(cat "$work/stdout")"; fi
# of a GPU of two OPPs that three nodes would lower by a step each
jq '(.processors[] | select(.name == "gpu") | .domains[0].opps) |= .[-2:] | (.thermal.trips[] | select(.type == "passive") | .processors) = ["gpu"]' \
  "$HETSIM_DATA/socs/kirin990.json" >two.json
printf '%s\n' '{"format": "hetsim-scenario/1", "name": "held", "title": "t", "source": "s",' \
  '"thermal": {"governor": "step_wise", "hold_c": {"cpu": 80, "gpu": 80, "npu": 80}}}' >held.json
accept "gpu at most 1 OPP below its highest by step_wise" --soc ./two.json --policy gpu mobilenet_v1 --scenario ./held.json -n 2
rm two.json held.json
"$HETSIM" $device >"$work/stdout"
# of the processors, and of what holds a temperature
if awk '/^Heat .* J in, .* J to hold temperatures, / { d = $2 + $5 - $10 - $13; ok = $2 > 0 && $5 > 0 && d < 1e-3 * $2 && d > -1e-3 * $2 } END { exit !ok }' \
  "$work/stdout"; then pass
else fail "heat got lost: $(grep "^Heat" "$work/stdout")"; fi

# without a scheduler, which is told, cores are a fluid, in which they wait for the caller in cycles of the clocks at the beginning
awk '/^  "scheduler"/ { sub(/,$/, "", last); next } NR > 1 { print last } { last = $0 } END { print last }' "$HETSIM_DATA/socs/sd855.json" >fluid.json
accept "no scheduler: CPU cores are shared as a fluid" show soc ./fluid.json
accept "cores are shared as a fluid, since the SoC's file has no scheduler" --soc ./fluid.json --policy cpu --runtime tflite --governor cpu=conservative preresnet14@poisson:7fps --duration 3 --check
rm -f fluid.json

# beside rivals few inferences say little, and another seed begins otherwise
few="--soc sd870 --policy cpu --runtime tflite mobilenet_v2_0.25_tf2cv --rivals=2 -n 30"
accept "  uncertain    ±" $few
once=$(tail -n 1 "$work/stdout")
accept "$once" $few --seed=1
accept "fingerprint" $few --seed=2
if [ "$(tail -n 1 "$work/stdout")" != "$once" ]; then pass; else fail "beside rivals all seeds are alike"; fi
# told where two standard errors are more than a tenth of it
told=
for n in 200 800; do
  "$HETSIM" ${few% -n 30} -n $n --format=json >"$work/json"
  error=$(jq '200 * .latency_error_s / .latency_s | round' "$work/json")
  "$HETSIM" ${few% -n 30} -n $n >"$work/stdout"
  if grep -q "^  uncertain    ±$error %  " "$work/stdout"; then told="$told over:$((error > 10))"
  elif ! grep -q uncertain "$work/stdout"; then told="$told under:$((error > 5 && error <= 10))"; fi
done
if [ "$told" = " over:1 under:1" ]; then pass; else fail "how uncertain a latency is: $told"; fi
# how surely a mean is known is how far seeds are apart: no pattern of turns lasts
for seed in 1 2; do
  "$HETSIM" --soc sd855 --policy cpu mobilenet_v1 --rivals=2 --duration=60 --seed=$seed --format=json | sed -n 's/^  "latency_s": \(.*\),/\1/p; s/^  "latency_error_s": \(.*\),/\1/p'
done | tr '\n' ' ' >means
if awk '{ d = $1 - $3; exit !(NF == 4 && d * d < 16 * ($2 * $2 + $4 * $4)) }' means; then pass; else fail "two seeds are further apart than their errors: $(cat means)"; fi
rm -f means
accept '"latency_error_s": null' --soc sd870 --policy cpu squeezenet -n 19 --format=json
accept '"latency_error_s": 0,' --soc sd855 --policy gpu squeezenet -n 40 --format=json # alike, but for rounding
accept '"latency_drift_frac": 0' --soc sd870 --policy cpu squeezenet -n 20 --format=json

# a curve of hundreds of samples is of their means, the last sample shorter than others; temperatures are those at their ends
"$HETSIM" --soc sd855 --policy gpu squeezenet@1fps --duration=701.5 --temperature=simulated --curves=c.svg >"$work/stdout"
if grep -q '748.5,46.2 750.0,46.2 ' c.svg; then pass; else fail "curves: samples that aren't equally long"; fi
"$HETSIM" --soc sd855 --policy gpu squeezenet@1fps --duration=700.5 --temperature=simulated --curves=c.svg >"$work/stdout"
if grep -q ' 71.9,547.6 ' c.svg; then pass; else fail "curves: temperatures aren't those at the ends"; fi
rm c.svg

finish
