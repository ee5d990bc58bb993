#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim explain.
. "$(dirname "$0")/helpers.sh" || exit 1

cat >"$work/says.json" <<'END'
{"format": "hetsim-workload/1", "name": "says", "title": "t", "source": "s", "inputs": [{"name": "x", "shape": [1, 8]}],
 "outputs": ["y"], "ops": [{"name": "y", "op": "Relu", "inputs": ["x"], "support": {"gpu": false, "dsp": true}}]}
END
accept "dsp can't run it: LeakyRelu is not on the list of tflite-hexagon: refused by the delegate; the policy wanted it (fallback); npu is fastest (270 µs; gpu 337 µs)" explain --soc sd855 --policy dsp yolov2
sed 's/{"gpu": false, "dsp": true}/{"cpu": false, "dsp": false, "npu": false}/' "$work/says.json" >"$work/one.json"
accept "only gpu can run it" explain --soc sd855 --policy gpu --runtime tflite "$work/one.json"
accept "part of a chain with the operators before: no data is shared in between" explain --soc sd855 --policy codl posenet
accept "Kernels: cpu, cpu-little, gpu, dsp fitted to measurements; npu estimated from hardware rates." explain --soc sd855 --policy gpu --runtime tflite yolov2
accept "Kernels: cpu, gpu fitted to measurements; cpu-little estimated from hardware rates." explain --soc sd855 --policy codl yolov2
accept '"kernels": {"cpu": "fitted", "cpu-little": "estimated", "gpu": "fitted"},' explain --soc sd855 --policy codl yolov2 --format=json
accept "moving its data there and back costs 1.18 ms" explain --soc sd855 --policy codl mobilenet_v1
# an activation that the GPU would join to the convolution's kernel has one of its own where that ran on the DSP; so the traffic of all adds up to the run's
accept "npu would be faster (270 µs; gpu 337 µs), but moving its data there and back costs 402 µs" explain --soc sd855 --policy heft yolov2
apart=$("$HETSIM" explain --soc sd855 --policy heft yolov2 --format=json | jq '[.ops[] | .dram_bytes[.parts[0].processor]] | add | round')
ran=$("$HETSIM" --soc sd855 --policy heft yolov2 --format=json | jq '.dram_bytes | round')
if [ "$apart" = "$ran" ]; then pass; else fail "explain's traffic: $apart of $ran bytes"; fi
accept "gpu 0.6 + cpu 0.4 (height)" explain --soc sd855 --policy codl yolov2
if grep -q "cpu would be faster .* moved there by itself" "$work/stdout" && ! grep -q "this plan leaves cpu out" "$work/stdout"; then pass
else fail "explain: of a plan that uses the cpu it says that it leaves it out"; fi
accept "Bottleneck: gpu, 92 % of the time. Memory bandwidth decides 1 % of the kernels' time." explain --soc sd855 --policy codl yolov2
accept '"bottleneck": "communication", "bottleneck_utilization_frac": 0.9' explain --soc sd888 --policy npu bert_base_128 --format=json
accept "Bottleneck: communication, 59 % of the time." explain --soc sd865 --policy codl mobilenet_v3_large # less than twice what a processor works
accept "- a  it takes 206 MB of a slice, which may have 100 MB" explain --soc kirin970 --policy mosaic vgg16
# 28 operators, each refused for a reason of its own
awk 'BEGIN {
  for (m = 2; m < 30; m++) {
    outputs = outputs (m > 2 ? ", " : "") "#o" m "#"
    ops = ops (m > 2 ? ", " : "") "{#name#: #o" m "#, #op#: #DepthwiseConv#, #inputs#: [#x#], #kernel#: [3, 3], #multiplier#: " m "}"
  }
  text = "{#format#: #hetsim-workload/1#, #name#: #many#, #title#: #t#, #source#: #s#, #inputs#: [{#name#: #x#, #shape#: [1, 8, 8, 1]}], "
  text = text "#outputs#: [" outputs "], #ops#: [" ops "]}"
  gsub("#", "\"", text)
  print text }' >"$work/many.json"
for note in "- a  multiplier = 2 is not 1" "- z  multiplier = 27 is not 1" "- aa  multiplier = 28 is not 1" "- ab  multiplier = 29 is not 1"; do
  accept "$note" explain --soc sd855 --policy cpu --runtime mace "$work/many.json"
done
accept "each spread over all that this plan uses (cpu, gpu) in proportion to their speed, without communication and what invocations cost" explain --soc sd855 --policy codl yolov2
accept '"ideal_processors": ["cpu", "gpu"]' explain --soc sd855 --policy codl yolov2 --format=json
accept '"macs": 10838016, "estimated_s": {"cpu": ' explain --soc sd855 --policy cpu mobilenet_v1 --format=json
# an operator without MACs that memory doesn't bound; one that neither GPU nor NPU can run has no times there
accept '"op": "Relu", "output": "1x8", "macs": 0, "estimated_s": {"cpu": ' explain --soc sd855 --policy cpu --runtime tflite "$work/says.json" --format=json
if grep -q '"estimated_s": {[^}]*"gpu"' "$work/stdout" || ! grep -q '"why_not": {"gpu"' "$work/stdout"; then fail "explain: a time where it can't run"; else pass; fi
if [ "$(sed -n 's/.*"estimated_s": {"cpu": \([^,]*\),.*/\1/p' "$work/stdout")" = "$(sed -n 's/.*"memory_s": {"cpu": \([^,]*\),.*/\1/p' "$work/stdout")" ]; then fail "explain: no time of the memory's own"; else pass; fi
accept "cpu-little@509MHz" explain --soc kirin970 --policy mosaic mnasnet_1.0 --param objective=energy
accept "npu: runtime mace has no code for the npu" explain --soc sd855 --policy cpu squeezenet
accept "  explained: what the idle device runs" explain --soc sd855 --policy band-sel yolov2
accept "dsp          in pieces" explain --soc sd855 --policy band-sel yolov2 # not all of it runs there
refuse 2 "--soc is missing" explain --policy gpu squeezenet -o r.txt
refuse 2 "--policy is missing" explain --soc sd855 squeezenet -o r.txt
refuse 2 "MODEL is missing" explain --soc sd855 --policy gpu -o r.txt
refuse 2 "one MODEL at a time" explain --soc sd855 --policy gpu squeezenet yolov2 -o r.txt
refuse 2 'there is no policy "gpuu"; did you mean gpu?' explain --soc sd855 --policy gpuu squeezenet -o r.txt
refuse 2 "policy npu needs an npu, and kirin960 has none" explain --soc kirin960 --policy npu squeezenet -o r.txt
refuse 2 'policy gpu has no parameter "x"' explain --soc sd855 --policy gpu squeezenet --param x=1 -o r.txt
refuse 2 "squeezenet@30fps: a rate, deadline, priority or policy of its own does not go with hetsim explain" explain --soc sd855 --policy gpu squeezenet@30fps -o r.txt
refuse 2 "squeezenet,priority=3: a rate, deadline, priority or policy of its own" explain --soc sd855 --policy gpu squeezenet,priority=3 -o r.txt
refuse 2 "squeezenet:cpu: a rate, deadline, priority or policy of its own" explain --soc sd855 --policy gpu squeezenet:cpu -o r.txt
refuse 2 "--inferences does not go with hetsim explain" explain --soc sd855 --policy gpu squeezenet -n 2
refuse 2 "--format=csv goes with hetsim run only" explain --soc sd855 --policy gpu squeezenet --format=csv
refuse 6 "can't write" explain --soc sd855 --policy gpu squeezenet -o /nonexistent/r.txt

finish
