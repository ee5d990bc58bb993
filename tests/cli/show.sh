#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# hetsim list and hetsim show.
. "$(dirname "$0")/helpers.sh" || exit 1

accept "sd855" list socs
accept "\"name\": \"yolov2\"" list models --format=json
accept "yolov2                               YOLOv2 of PASCAL VOC" list models # titles begin in one column, behind the longest name
accept "efficientnet_b5_relu6_224            EfficientNet-B5" list models
accept "tflite" list runtimes
accept "video-playback  a video app" list scenarios
accept "\"name\": \"hot-60C\"" list scenarios --format=json
accept "cpu-little" list policies
accept "needs            npu" show policy npu
accept "--param objective=latency  what to minimise" show policy mosaic
accept "by height (fully connected) is cut by channel in any case (one of both, height, channel)" show policy codl # what the parameter may be
accept "(auto or a number in [0, 1])" show policy codl
accept "(a whole number in [" show policy exhaustive
accept "\"kind\": \"assumed\"" show soc sd855 --format=json
accept '"op_support": {"tflite": "kirin-npu-mindspore"}' show soc kirin990 --format=json
accept '"scheduler": {"latency_s": 0.01, "min_granularity_s": 0.003, "wakeup_granularity_s": 0.002}' show soc kirin990 --format=json
for line in "  its operators under tflite are those of kirin-npu-mindspore" "power_allocator: passive 65 °C (slows nobody), passive 75 °C (cpu, cpu-little, gpu)" \
  "CPU cores go round their threads in 10.0 ms, each has it for 3.00 ms at least, or less where one that wakes up is 2.00 ms behind"; do
  accept "$line" show soc kirin990
done
accept "socs/profiles/any-tflite.json" show soc sd855
accept "          2 compute units" show soc sd855
accept '"compute_units": 3' show soc sd888 --format=json
accept "         16 compute units" show soc kirin990
sed 's/ "compute_units": 16,//; s/ "compute_units": "gpu_mac",//' "$HETSIM_DATA/socs/kirin990.json" >"$work/untold.json"
if "$HETSIM" show soc "$work/untold.json" | grep -q "compute unit"; then fail "compute units that the file doesn't tell"; else pass; fi
for line in "cpu      0.6 J/K, 4 K/W to soc; heated by cpu, cpu-little; step_wise: passive 90 °C (cpu, cpu-little), passive 95 °C (cpu, cpu-little), critical 110 °C" \
  "skin     160 J/K, 5 K/W to ambient" "from gpu 55 °C the vendor caps cpu to 1736 MHz"; do accept "  $line" show soc sd855; done
sed 's/"ambient_c": 25/"ambient_c": 60/; s/"temperature_c": 95/"temperature_c": 60.5/; s/"temperature_c": 90/"temperature_c": 60/' \
  "$HETSIM_DATA/socs/sd855.json" >"$work/sun.json" # a trip at ambient is told, one above it isn't
for line in "passive 60 °C (cpu, cpu-little) (not above ambient: reached at rest), passive 60.5 °C (cpu, cpu-little), critical" \
  "from gpu 55 °C the vendor caps cpu to 1736 MHz (not above ambient: reached at rest)"; do accept "$line" show soc "$work/sun.json"; done
mkdir -p "$work/own/profiles" # a misspelt processor of one's own profile is told, and none of those that run
sed 's/"name": "sd855"/"name": "own"/' "$HETSIM_DATA/socs/sd855.json" >"$work/own/own.json"
sed 's/"soc": "sd855"/"soc": "own"/; s/"processor": "gpu"/"processor": "gpuu"/' "$HETSIM_DATA/socs/profiles/sd855-ncnn.json" >"$work/own/profiles/own-ncnn.json"
accept "  not used: $work/own/profiles/own-ncnn.json: \$.kernels[4] (gpuu, fp16, buffer): nothing of own runs it" show soc "$work/own/own.json"
if [ "$(grep -c 'not used' "$work/stdout")" -eq 1 ]; then pass; else fail "not used: $(grep 'not used' "$work/stdout")"; fi
# what a source says of the scatter is no coefficient
sed 's/"soc": "sd855"/"soc": "own"/; s/"scatter": {"kind": "derived"/"scatter": {"kind": "press"/' \
  "$HETSIM_DATA/socs/profiles/sd855-pytorch.json" >"$work/own/profiles/own-pytorch.json"
accept "/own-pytorch.json" show soc "$work/own/own.json"
if grep -q '"scatter": {"kind": "press"' "$work/own/profiles/own-pytorch.json" && ! grep -q "^  pytorch .* press" "$work/stdout"; then pass
else fail "the scatter is counted as a coefficient: $(grep '^  pytorch ' "$work/stdout")"; fi
# no processor attains more than the memory's peak; those with less, that
sed 's/"peak_bytes_per_s": [0-9][0-9.e]*/"peak_bytes_per_s": 2e10/' "$HETSIM_DATA/socs/sd855.json" >"$work/slow.json"
for attains in "cpu (cpu, processor-shared)  attains 17.5 GB/s" "gpu (gpu, queued)  attains 20.0 GB/s"; do accept "$attains" show soc "$work/slow.json"; done
# nor more than all its cores, or the unit itself
sed 's/"bandwidth_per_core_bytes_per_s": [0-9][0-9.e]*/"bandwidth_per_core_bytes_per_s": 2e9/' "$HETSIM_DATA/socs/sd855.json" >"$work/narrow.json"
for attains in "cpu (cpu, processor-shared)  attains 8.00 GB/s" "npu (npu, queued)  attains 2.00 GB/s" "          each core attains 2.00 GB/s"; do
  accept "$attains" show soc "$work/narrow.json"
done
jq '.thermal.zones = [{"node": "gpu", "governor": "power_allocator"}]' "$HETSIM_DATA/socs/sd855.json" >"$work/always.json"
accept "heated by gpu; power_allocator, always on: passive 85 °C (gpu)" show soc "$work/always.json"
accept "  $.thermal.vendor_caps[].temperature_c  " show soc sd855 # assumed, beside frequencies that are derived
accept "runtime mace has no code for the dsp" show model shufflenet_v2 --format=json --soc sd855 --runtime mace
cat >"$work/says.json" <<'END'
{"format": "hetsim-workload/1", "name": "says", "title": "t", "source": "s", "inputs": [{"name": "x", "shape": [1, 8]}],
 "outputs": ["y"], "ops": [{"name": "y", "op": "Relu", "inputs": ["x"], "support": {"gpu": false, "dsp": true}}]}
END
(cd "$work" && "$HETSIM" --soc sd855 --policy cpu says >stdout 2>stderr)
if grep -qF 'there is no workload "says" among those that come with hetsim; did you mean ./says.json?' "$work/stderr"; then pass; else fail "a file here, named without .json: $(cat "$work/stderr")"; fi
sed 's/"gpu": false, "dsp": true/"gpu": false, "cpu": false, "npu": false, "dsp": true/' "$work/says.json" >"$work/dsp.json"
accept "only dsp can run it" explain --soc sd855 --policy dsp "$work/dsp.json"
for soc in "" "--soc sd855"; do accept '"why_not": {"gpu": "the model file says so"}' show model "$work/says.json" --format=json $soc; done
accept "cpu cpu-little gpu dsp npu" show model resnet50 --soc sd855
accept "cpu gpu dsp npu" show model resnet50
for soc in "" "--soc sd855"; do accept "gpu        tflite-gpu: TensorFlow Lite GPU delegate; TensorFlow tools/versioning" show model resnet50 $soc; done
accept '"gpu": {"name": "codl-gpu-image", "title": "CoDL fork of MACE, OpenCL image memory", "source": "csu-eis' show model resnet50 --soc sd855 --runtime mace --format=json
if grep -q '"dsp": {"name"' "$work/stdout"; then fail "MACE has operators for a DSP here"; else pass; fi
for soc in sd855 sd865 sd870 sd888 kirin960 kirin970 kirin985 kirin990 tensor; do # a cluster without a cache would have all tensors in DRAM
  accept "Assumed:" show soc $soc
  if [ "$(grep -A 1 '^cpu' "$work/stdout" | grep -c "of an operator's tensors")" -eq 2 ]; then pass; else fail "show soc $soc: the caches of its clusters"; fi
done

refuse 2 "--runtime does not go with hetsim show soc" show soc sd855 --runtime=mace
refuse 2 "--soc does not go with hetsim show policy" show policy codl --soc=sd855
refuse 2 "--precision does not go with hetsim show model without --soc" show model squeezenet --precision=int8
refuse 2 "--threads does not go with hetsim show" show model squeezenet --soc=sd855 --threads=2
accept "SqueezeNet" show model squeezenet --soc=sd855 --precision=int8
accept "SqueezeNet" show model squeezenet --runtime=mace

accept "y: a kernel on that processor of kirin970, under runtime ncnn" show model squeezenet --soc kirin970 --runtime ncnn
finish
