#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Input files that can't be used: exit status 3, and what is said.
. "$(dirname "$0")/helpers.sh" || exit 1

sed 's/"kirin-npu-hiai"/"foo"/' "$HETSIM_DATA/socs/kirin970.json" >"$work/notable.json"
refuse 3 'notable.json:185:32: $.processors[3].op_support.tflite: processor "npu" has no operator-support table "foo" (a file of op-support/ beside this one, or of workloads/op-support)' --soc "$work/notable.json" --policy npu squeezenet -o r.txt
refuse 3 'notable.json:185:32: $.processors[3].op_support.tflite: processor "npu" has no operator-support table "foo"' show soc "$work/notable.json" -o r.txt
# a table beside the SoC's file, under its own name
mkdir "$work/op-support"
jq '.name = "foo"' "$HETSIM_DATA/workloads/op-support/tflite-hexagon.json" >"$work/op-support/foo.json"
accept "Operators" --soc "$work/notable.json" --policy npu squeezenet
accept '"kind": "op-support", "name": "foo"' --soc "$work/notable.json" --policy npu squeezenet --format=json
sed 's/"foo"/"bar"/' "$work/op-support/foo.json" >"$work/foo.json"
mv "$work/foo.json" "$work/op-support/foo.json"
refuse 3 'op-support/foo.json:3:11: $.name: "bar" is not "foo", as in the file'"'s name" --soc "$work/notable.json" --policy npu squeezenet
rm -r "$work/op-support"
# a runtime that has code for a processor, in precisions that the SoC's file doesn't give it: the file's place, and both
sed 's/"macs_per_cycle": {"fp32": 768, "fp16": 1536}/"macs_per_cycle": {"fp32": 768}/; s/{"fp32": "gpumac", "fp16": "gpufp16"}/"gpumac"/' "$HETSIM_DATA/socs/sd855.json" >"$work/single.json"
for policy in gpu tf-gpu codl; do
  refuse 3 "/single.json: \$.processors[2].domains[].macs_per_cycle: policy $policy: runtime tflite computes in fp16 on the gpu, which has fp32 only" \
    --soc "$work/single.json" --policy $policy --runtime tflite squeezenet -o r.txt
  refuse 2 "policy $policy: runtime bolt has no code for the gpu of sd855" --soc sd855 --policy $policy --runtime bolt squeezenet -o r.txt
done
jq 'del(.processors[0].domains[].macs_per_cycle.fp32)' "$HETSIM_DATA/socs/sd855.json" >"$work/quantised.json"
for policy in cpu codl mulayer; do
  refuse 3 "/quantised.json: \$.processors[0].domains[].macs_per_cycle: policy $policy: runtime mace computes in fp32 on the cpu, which has fp16 and int8 only" \
    --soc "$work/quantised.json" --policy $policy --runtime mace squeezenet -o r.txt
done
accept "Latency" --soc "$work/quantised.json" --policy codl squeezenet
sed 's/"memory_types": ."image", "buffer"./"memory_types": ["image"]/' "$HETSIM_DATA/socs/sd855.json" >"$work/images.json"
for memory in "--soc $work/images.json" "--soc sd855 --memory-type=image"; do
  refuse 2 "policy gpu: runtime ncnn has no kernels for the gpu's image memory" $memory --policy gpu --runtime ncnn squeezenet -o r.txt
  accept "Latency" $memory --policy cpu --runtime ncnn squeezenet
done
accept "gpu: runtime tflite computes in fp16 on the gpu, which has fp32 only" explain --soc "$work/single.json" --policy cpu --runtime tflite squeezenet
printf 'model,processor,latency_ms\nsqueezenet,gpu,10\n' >"$work/gpu.csv"
refuse 3 "gpu.csv:2: processor: runtime tflite computes in fp16 on the gpu, which has fp32 only" calibrate --soc "$work/single.json" --runtime tflite "$work/gpu.csv" -o p.json
# --- input files: 3; reading and writing: 6 ---
bad() { printf '%s' "$2" >"$work/$1.json"; }
bad empty ''
bad cut '{"format": "hetsim-workload/1", "name": "a",'
ops() { bad "$1" '{"format": "hetsim-workload/1", "name": "a", "title": "t", "source": "s", "inputs": [{"name": "x", "shape": [1, 8, 8, 4]}], "outputs": ["y"], "ops": ['"$2"']}'; }
ops twice '{"name": "y", "op": "Relu", "op": "Relu6", "inputs": ["x"]}'
ops cycle '{"name": "y", "op": "Relu", "inputs": ["z"]}, {"name": "z", "op": "Relu", "inputs": ["y"]}'
ops dangling '{"name": "y", "op": "Relu", "inputs": ["w"]}'
ops shapes '{"name": "r", "op": "Reshape", "inputs": ["x"], "shape": [1, 4, 16, 4]}, {"name": "y", "op": "Add", "inputs": ["x", "r"]}'
ops huge '{"name": "y", "op": "Conv", "inputs": ["x"], "channels": 1e30, "kernel": [3, 3]}'
ops nobody '{"name": "y", "op": "Relu", "inputs": ["x"], "support": {"cpu": false, "gpu": false, "dsp": false, "npu": false}}'
ops large '{"name": "g", "op": "Gemm", "inputs": ["x"], "channels": 100000000}, {"name": "y", "op": "Relu", "inputs": ["g"]}'
ops grouped '{"name": "c", "op": "Conv", "inputs": ["x"], "channels": 4, "kernel": [3, 3], "pad": "same", "group": 2}, {"name": "y", "op": "Gemm", "inputs": ["c"], "channels": 100000000}'
ops pieces '{"name": "g", "op": "Gemm", "inputs": ["x"], "channels": 100000000}, {"name": "y", "op": "Relu", "inputs": ["g"], "support": {"cpu": false}}'
ops short '{"name": "s", "op": "Conv", "inputs": ["x"], "channels": 32, "kernel": [3, 3], "pad": "same"}, {"name": "a", "op": "Conv", "inputs": ["s"], "channels": 256, "kernel": [1, 1]}, {"name": "b", "op": "Conv", "inputs": ["a"], "channels": 512, "kernel": [1, 1]}, {"name": "c", "op": "Conv", "inputs": ["b"], "channels": 1024, "kernel": [1, 1]}, {"name": "d", "op": "Conv", "inputs": ["c"], "channels": 2048, "kernel": [1, 1]}, {"name": "y", "op": "GlobalAveragePool", "inputs": ["d"]}'
sed 's/"name": "a"/"name": "resnet50"/' "$work/short.json" >"$work/resnet50.json" # the first "name" is the network's
all="-o r.txt --timeline t.json --gantt g.svg"
refuse 3 "empty.json:1:1: not JSON: the text ends too early" --soc sd855 --policy gpu "$work/empty.json" $all
refuse 3 "cut.json:1:45: not JSON: the text ends too early" --soc sd855 --policy gpu "$work/cut.json" $all
refuse 3 "duplicate key" --soc sd855 --policy gpu "$work/twice.json" $all
refuse 3 "is made by this or a later operator" --soc sd855 --policy gpu "$work/cycle.json" $all
refuse 3 '$.ops[0].inputs[0]: there is no tensor "w"' --soc sd855 --policy gpu "$work/dangling.json" $all
refuse 3 "shapes don't broadcast" --soc sd855 --policy gpu "$work/shapes.json" $all
refuse 3 "is not in [1, 1000000]" --soc sd855 --policy gpu "$work/huge.json" $all
for policy in gpu hcca mosaic tf-big exhaustive; do # those that plan by layers, too
  refuse 3 'no processor of sd855 runs operator "y" (Relu)' --soc sd855 --policy $policy "$work/nobody.json" $all
done
refuse 3 "of memory (weights and live tensors) under runtime mace, sd855 has 8.00 GB" --soc sd855 --policy cpu "$work/large.json" $all
# too little memory is no reason for another runtime, whose other precision would fit; without operators for a network there it is the next one's
sed 's/"capacity_bytes": 8e9/"capacity_bytes": 5e8/' "$HETSIM_DATA/socs/sd855.json" >"$work/small.json"
refuse 3 "vgg16 needs 759 MB of memory (weights and live tensors) under runtime mace, sd855 has 500 MB" --soc "$work/small.json" --policy codl vgg16 $all
accept "policy codl, runtime tflite" --soc "$work/small.json" --policy codl vgg16 --runtime tflite
refuse 3 "the networks up to resnet101:codl need 563 MB of memory together, sd855 has 500 MB" --soc "$work/small.json" resnet101:codl resnet101:codl resnet101:codl $all
accept "policy codl, runtime tflite" --soc "$work/small.json" --policy codl resnext14_32x2d
refuse 3 "a needs 103 GB of memory (weights and live tensors) under runtime tflite, sd855 has 8.00 GB" --soc sd855 --policy cpu "$work/grouped.json" $all
accept "Memory         847 MB" --soc sd855 --policy cpu --runtime mace vgg16
ten="vgg16 vgg16 vgg16 vgg16 vgg16 vgg16 vgg16 vgg16 vgg16 vgg16"
refuse 3 "the networks up to vgg16 need 8.47 GB of memory together, sd855 has 8.00 GB" --soc sd855 --policy cpu --runtime mace $ten $all
refuse 2 "vgg16 is one too many: at most 16 networks or files at a time" --soc sd855 --policy cpu $ten $ten $all
refuse 2 "policy band-fixed, worker=dsp: sd855 has none under runtime mace" --soc sd855 --policy band-fixed --runtime mace squeezenet --param worker=dsp $all
ops parted '{"name": "r", "op": "Relu", "inputs": ["x"]}, {"name": "y", "op": "Relu", "inputs": ["r"], "support": {"cpu": false}}'
# figures of a program are of the one that ran: here the DSP's, whole, which the scheduler takes rather than the first alternative, the CPU's
figures() { "$HETSIM" --soc sd855 --policy "$1" squeezenet --opt=memplan --format=json | grep -E '^  "(n_tasks|n_ops|fallback_ops|peak_memory_bytes|arena_bytes)"'; }
if [ "$(figures band-sel)" = "$(figures dsp)" ] && [ "$(figures dsp | wc -l)" -eq 5 ]; then pass; else fail "band-sel tells of another program: $(figures band-sel)"; fi
# what ran in pieces has none
ops two '{"name": "r", "op": "Relu", "inputs": ["x"], "support": {"cpu": false, "gpu": false, "dsp": false}}, {"name": "y", "op": "Relu", "inputs": ["r"], "support": {"gpu": false, "dsp": false, "npu": false}}'
accept '"networks": [' --soc sd855 --policy band-sel "$work/two.json" --format=json
if grep -qE '"(n_tasks|estimate_s)"' "$work/stdout"; then fail "pieces are told as one program"; else pass; fi
refuse 2 "--opt: memplan: policy band-sel starts pieces" --soc sd855 --policy band-sel "$work/parted.json" --opt=memplan $all
ops alone '{"name": "y", "op": "Relu", "inputs": ["x"]}'
refuse 3 "--opt: memplan on a: no two of its buffers can share memory" --soc sd855 --policy cpu "$work/alone.json" --opt=memplan $all
refuse 3 "structure=published: none was released of resnet50 for processors=auto of sd855" --soc sd855 --policy nn-stretch "$work/resnet50.json" --param structure=published $all
refuse 3 "regnetx_1.6gf_split can't be stretched over processors=auto of sd855: branch1/stage2_unit1_conv2_split: 48 doesn't split into 7 equal parts" --soc sd855 --policy nn-stretch regnetx_1.6gf_split --param structure=published $all
for policy in band-sel band-heft-reserved band-lst adaptive; do
  refuse 3 "of memory (weights and live tensors) under runtime tflite, sd855 has 8.00 GB" --soc sd855 --policy $policy "$work/pieces.json" $all
done
refuse 3 'no processor of sd855 runs operator "y" (Relu)' explain --soc sd855 --policy gpu "$work/nobody.json" -o r.txt
refuse 3 "cut.json:1:45: not JSON" compare --soc sd855 "$work/cut.json" -o r.txt --svg=b.svg
refuse 3 "is not \"hetsim-soc/1\"" --soc "$HETSIM_DATA/workloads/yolov2.json" --policy gpu squeezenet $all

finish
